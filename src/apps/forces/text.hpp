// Parsing of words and numbers in a line.
#pragma once

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace rafter::forces {

inline constexpr auto is_blank = [](char c) { return c == ' ' || (c >= '\t' && c <= '\r'); };

/// Removes and returns the first word of a line; empty at its end.
inline std::string_view next_word(std::string_view& line) {
  const auto start = std::find_if_not(line.begin(), line.end(), is_blank);
  const auto end = std::find_if(start, line.end(), is_blank);
  line.remove_prefix(static_cast<std::size_t>(end - line.begin()));
  return {start, end};
}

inline std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

/// Parses a whole word as a number; accepts "nan" and "inf".
template <class T>
std::optional<T> number_in(std::string_view word) {
  if (word.size() > 1 && word[0] == '+' && word[1] != '-') word.remove_prefix(1);
  T value{};
  const auto [end, status] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (status != std::errc() || end != word.data() + word.size()) return std::nullopt;
  return value;
}

/// Returns text quoted for a message: truncated, with non-printable bytes replaced by '?'.
inline std::string show_text(std::string_view text) {
  constexpr std::size_t longest = 40;
  text = trimmed(text);
  std::string shown = "'";
  for (const char c : text.substr(0, longest)) shown += c == '\t' ? ' ' : (c >= ' ' && c <= '~') ? c : '?';
  return shown + (text.size() > longest ? "...'" : "'");
}

}  // namespace rafter::forces
