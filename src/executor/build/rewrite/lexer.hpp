// Cuts CUDA C++ text into tokens that know their place, so that a source can be edited without being understood.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace rafter::simt::build {

/// Whether a list has the word.
template <std::size_t N>
bool is_among(const std::array<std::string_view, N>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

enum class TokenKind { identifier, number, string, character, header, punctuator };

struct Token {
  TokenKind kind;
  std::size_t begin;  // offsets into the text
  std::size_t end;
  int line;       // where it begins, from 1
  int directive;  // 0, or the number of the preprocessor line it stands in
};

/// The tokens of a text that must outlive them. Comments and what `#if 0` hides are not among them; `<<<` is one
/// token and every `>` is its own.
class Tokens {
 public:
  explicit Tokens(std::string_view source);

  int size() const { return static_cast<int>(tokens_.size()); }
  /// The token, or one of no text and no line outside the text.
  const Token& operator[](int i) const { return i >= 0 && i < size() ? tokens_[static_cast<std::size_t>(i)] : none_; }
  std::string_view source() const { return source_; }

  /// The token's spelling; empty outside the text.
  std::string_view text(int i) const;
  /// The source from the first to the last token, with what stands between them.
  std::string_view text(int first, int last) const;
  bool is(int i, std::string_view spelling) const { return text(i) == spelling; }
  bool is_identifier(int i) const { return i >= 0 && i < size() && (*this)[i].kind == TokenKind::identifier; }

  /// The bracket that matches the one at `i`, of (), [] and {}; -1 when there is none.
  int partner(int i) const { return i >= 0 && i < size() ? partners_[static_cast<std::size_t>(i)] : -1; }
  /// The `>` that closes the `<` at `i`, or -1 when this is no template argument list.
  int close_angle(int i) const;
  /// The `<` that opens what the `>` at `i` closes, or -1.
  int open_angle(int i) const;
  /// The source from first to last on one line, without comments.
  std::string flat(int first, int last) const;

 private:
  void pair_brackets();

  std::string_view source_;
  Token none_{TokenKind::punctuator, 0, 0, 0, -1};
  std::vector<Token> tokens_;
  std::vector<int> partners_;
};

}  // namespace rafter::simt::build
