// Splits CUDA C++ text into tokens with positions, so that a source can be edited without a full parser.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace rafter::simt::build {

/// Whether a list contains the word.
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
  int directive;  // 0, or the number of the preprocessor line that contains it
};

/// The tokens of a text, which must outlive them. Comments and code disabled by `#if 0` are skipped. `<<<` is one
/// token; every `>` is a token of its own.
class Tokens {
 public:
  explicit Tokens(std::string_view source);

  int size() const { return static_cast<int>(tokens_.size()); }
  /// Returns the token, or an empty token with line 0 if `i` is out of range.
  const Token& operator[](int i) const { return i >= 0 && i < size() ? tokens_[static_cast<std::size_t>(i)] : none_; }
  std::string_view source() const { return source_; }

  /// Returns the token's spelling; empty if `i` is out of range.
  std::string_view text(int i) const;
  /// Returns the source from the first to the last token, including everything between them.
  std::string_view text(int first, int last) const;
  bool is(int i, std::string_view spelling) const { return text(i) == spelling; }
  bool is_identifier(int i) const { return i >= 0 && i < size() && (*this)[i].kind == TokenKind::identifier; }

  /// Returns the bracket that matches the one at `i`, of (), [] and {}; -1 if there is none.
  int partner(int i) const { return i >= 0 && i < size() ? partners_[static_cast<std::size_t>(i)] : -1; }
  /// Returns the `>` that closes the `<` at `i`, or -1 if this is not a template argument list.
  int close_angle(int i) const;
  /// Returns the `<` that matches the `>` at `i`, or -1.
  int open_angle(int i) const;
  /// Returns the source from first to last on one line, without comments.
  std::string flat(int first, int last) const;

 private:
  void pair_brackets();

  std::string_view source_;
  Token none_{TokenKind::punctuator, 0, 0, 0, -1};
  std::vector<Token> tokens_;
  std::vector<int> partners_;
};

}  // namespace rafter::simt::build
