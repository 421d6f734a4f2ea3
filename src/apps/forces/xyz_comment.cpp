#include "apps/forces/xyz_comment.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "apps/forces/text.hpp"
#include "rafter/error.hpp"

namespace rafter::forces {

namespace {

[[noreturn]] void refuse_comment(const std::string& complaint) { throw Error(ErrorCode::bad_argument, complaint); }

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; }

bool is_same(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) { return lower(x) == lower(y); });
}

struct Entry {
  std::string_view key{}, value{};  // value without quotes
  std::string_view written{};       // the entry as written
  bool has_value = false;
};

/// Reads KEY=VALUE, KEY="VALUE", KEY={VALUE}, KEY=[VALUE] and single words, in sequence.
class KeyReader {
 public:
  explicit KeyReader(std::string_view line) : rest_(trimmed(line)) {}

  /// Returns the next entry, or nullopt at the end. Throws Error for a malformed list.
  std::optional<Entry> next() {
    if (rest_.empty()) return std::nullopt;
    const auto ends_key = [](char c) { return c == '=' || is_blank(c); };
    Entry entry{.key = {rest_.begin(), std::find_if(rest_.begin(), rest_.end(), ends_key)}};
    if (entry.key.empty()) refuse_comment(fmt::format("{} has no key", show_text(rest_)));
    rest_ = trimmed(rest_.substr(entry.key.size()));
    entry.has_value = rest_.starts_with('=');
    if (!entry.has_value) return entry;
    rest_ = trimmed(rest_.substr(1));
    entry.written = rest_.substr(0, length_of_value(entry.key));
    entry.value = is_bracketed() ? entry.written.substr(1, entry.written.size() - 2) : entry.written;
    rest_ = trimmed(rest_.substr(entry.written.size()));
    return entry;
  }

 private:
  bool is_bracketed() const { return !rest_.empty() && std::string_view("\"'{[").find(rest_[0]) != std::string::npos; }

  std::size_t length_of_value(std::string_view key) const {
    if (!is_bracketed())
      return static_cast<std::size_t>(std::find_if(rest_.begin(), rest_.end(), is_blank) - rest_.begin());
    const char open = rest_[0], close = open == '{' ? '}' : open == '[' ? ']' : open;
    int depth = 1;
    for (std::size_t i = 1; i < rest_.size(); ++i) {
      if (open == close && rest_[i] == '\\') {
        ++i;
      } else if (rest_[i] == close) {
        if (--depth == 0) return i + 1;
      } else if (rest_[i] == open) {
        ++depth;
      }
    }
    refuse_comment(fmt::format("the value of {} begins with {} but has no closing {}", show_text(key), open, close));
  }

  std::string_view rest_;
};

/// Returns whether the line names a key that must not be mistaken for a remark.
bool names_special_key(std::string_view line) {
  std::string text(line);
  std::transform(text.begin(), text.end(), text.begin(), lower);
  for (const char* key : {"lattice", "properties", "pbc"}) {
    if (text.find(key) != std::string::npos) return true;
  }
  return false;
}

/// Returns the keys of a line; none for a remark.
std::vector<Entry> keys_of(std::string_view line) {
  if (line.find('=') == std::string_view::npos) return {};
  std::vector<Entry> entries;
  try {
    KeyReader reader(line);
    while (const auto entry = reader.next()) entries.push_back(*entry);
  } catch (const Error&) {
    if (names_special_key(line)) throw;
    entries.clear();
  }
  return entries;
}

/// Returns the words of a list, in any kind of brackets.
std::vector<std::string> list_in(std::string_view value) {
  std::string text(value);
  std::replace_if(
      text.begin(), text.end(), [](char c) { return std::string_view(",[]{}").find(c) != std::string::npos; }, ' ');
  std::vector<std::string> words;
  std::string_view rest = text;
  for (std::string_view word; !(word = next_word(rest)).empty();) words.emplace_back(word);
  return words;
}

std::array<std::array<double, 3>, 3> lattice_in(std::string_view value) {
  const std::vector<std::string> words = list_in(value);
  if (words.size() != 9) refuse_comment(fmt::format("Lattice must have 9 numbers, got {}", words.size()));
  std::array<std::array<double, 3>, 3> vectors{};
  for (std::size_t i = 0; i < 9; ++i) {
    const auto number = number_in<double>(words[i]);
    if (!number || !std::isfinite(*number))
      refuse_comment(fmt::format("Lattice must have 9 finite numbers, got {}", show_text(words[i])));
    vectors[i / 3][i % 3] = *number;
  }
  return vectors;
}

/// Parses T or F, True or False, 1 or 0.
std::optional<bool> truth_in(std::string_view word) {
  for (const char* name : {"T", "True", "1"}) {
    if (is_same(word, name)) return true;
  }
  for (const char* name : {"F", "False", "0"}) {
    if (is_same(word, name)) return false;
  }
  return std::nullopt;
}

std::array<bool, 3> periodic_in(std::string_view value) {
  const std::vector<std::string> words = list_in(value);
  std::array<bool, 3> is_periodic{};
  for (std::size_t i = 0; i < 3; ++i) {
    const std::optional<bool> truth = words.size() == 3 ? truth_in(words[i]) : std::nullopt;
    if (!truth)
      refuse_comment(fmt::format("pbc must be three of T and F, as in pbc=\"T T F\"; got {}", show_text(value)));
    is_periodic[i] = *truth;
  }
  return is_periodic;
}

/// Parses Properties=NAME:TYPE:COLUMNS[:NAME:TYPE:COLUMNS...].
AtomColumns columns_in(std::string_view value) {
  const auto next_field = [&value] {
    const std::string_view field = value.substr(0, value.find(':'));
    value.remove_prefix(std::min(field.size() + 1, value.size()));
    return field;
  };
  constexpr std::size_t most_columns = 1 << 16;  // per property
  std::optional<std::size_t> species, number, position;
  std::size_t n = 0;
  while (!value.empty()) {
    const std::string_view name = next_field(), type = next_field(), columns = next_field();
    const auto n_columns = number_in<std::size_t>(columns);
    if (type.size() != 1 || std::string_view("SRIL").find(type[0]) > 3 || !n_columns || *n_columns == 0 ||
        *n_columns > most_columns)
      refuse_comment(fmt::format("Properties must be name:type:columns, type one of S, R, I, L; got {}",
                                 show_text(fmt::format("{}:{}:{}", name, type, columns))));
    if (is_same(name, "species") && *n_columns == 1) species = n;
    if ((is_same(name, "Z") || is_same(name, "numbers")) && *n_columns == 1) number = n;
    if ((is_same(name, "pos") || is_same(name, "positions")) && *n_columns == 3) position = n;
    n += *n_columns;
  }
  if (!position) refuse_comment("Properties has no pos:R:3");
  if (!species && !number) refuse_comment("Properties has neither species:S:1 nor Z:I:1");
  return {.element = species ? *species : *number, .position = *position, .n = n, .are_all = true};
}

std::string in_quotes(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + "\"";
}

/// Returns whether the key is a result that is recomputed.
bool is_result(std::string_view key) {
  return key == "energy" || key == "forces" || key == "virial" || key == "stress" || key == "free_energy";
}

void append_key(std::string& keys, const Entry& entry) {
  if (!keys.empty()) keys += ' ';
  keys += entry.key;
  if (!entry.has_value) return;
  keys += '=';
  keys += entry.written.empty() ? "\"\"" : entry.written;
}

}  // namespace

XyzComment parse_comment(std::string_view line) {
  line = trimmed(line);
  const std::vector<Entry> entries = keys_of(line);
  XyzComment comment;
  if (entries.empty() && !line.empty()) comment.other_keys = "comment=" + in_quotes(line);
  std::optional<std::array<bool, 3>> is_periodic;
  for (const Entry& entry : entries) {
    if (entry.has_value && is_same(entry.key, "Lattice")) {
      comment.cell = UnitCell{lattice_in(entry.value), {true, true, true}};
    } else if (entry.has_value && is_same(entry.key, "pbc")) {
      is_periodic = periodic_in(entry.value);
    } else if (entry.has_value && is_same(entry.key, "Properties")) {
      comment.columns = columns_in(entry.value);
    } else if (!entry.has_value || !is_result(entry.key)) {
      append_key(comment.other_keys, entry);
    }
  }
  if (comment.cell && is_periodic) comment.cell->is_periodic = *is_periodic;
  if (!comment.cell && is_periodic && *is_periodic != std::array{false, false, false})
    refuse_comment("pbc declares a periodic cell, but Lattice is missing");
  return comment;
}

}  // namespace rafter::forces
