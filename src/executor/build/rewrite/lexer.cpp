#include "executor/build/rewrite/lexer.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace rafter::simt::build {

namespace {

// Longest first. `>` and what begins with `>>` are left out: each `>` may close a template or a launch.
constexpr std::array<std::string_view, 27> punctuators{
    "<<<", "...", "<=>", "->*", "<<=", "->", "::", "##", "<<", "<=", ">=", "==", "!=", "&&",
    "||",  "++",  "--",  "+=",  "-=",  "*=", "/=", "%=", "&=", "|=", "^=", ".*", "\\"};

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

class Scanner {
 public:
  explicit Scanner(std::string_view source) : source_(source) {}

  std::vector<Token> scan() {
    while (skip_blank(), at_ < source_.size()) token();
    return std::move(tokens_);
  }

 private:
  char peek(std::size_t ahead = 0) const { return at_ + ahead < source_.size() ? source_[at_ + ahead] : '\0'; }
  bool starts(std::string_view text) const { return source_.substr(at_).starts_with(text); }

  void advance(std::size_t n) {
    for (; n > 0 && at_ < source_.size(); --n) line_ += source_[at_++] == '\n' ? 1 : 0;
  }

  /// Returns the length of a line continuation at this position, or 0.
  std::size_t continuation() const {
    if (peek() != '\\') return 0;
    if (peek(1) == '\n') return 2;
    return peek(1) == '\r' && peek(2) == '\n' ? 3 : 0;
  }

  void skip_blank() {
    while (at_ < source_.size()) {
      if (const std::size_t n = continuation(); n > 0) {
        advance(n);
      } else if (peek() == '\n') {
        advance(1);
        fresh_ = true;
        directive_ = 0;
      } else if (std::isspace(static_cast<unsigned char>(peek())) != 0) {
        advance(1);
      } else if (starts("//")) {
        while (at_ < source_.size() && peek() != '\n') advance(std::max<std::size_t>(continuation(), 1));
      } else if (starts("/*")) {
        const std::size_t end = source_.find("*/", at_ + 2);
        advance((end == std::string_view::npos ? source_.size() : end + 2) - at_);
      } else {
        return;
      }
    }
  }

  void add(TokenKind kind, std::size_t length) {
    tokens_.push_back({kind, at_, at_ + length, line_, directive_});
    advance(length);
  }

  void token() {
    if (fresh_ && peek() == '#') directive_ = ++n_directives_;
    fresh_ = false;
    if (is_digit(peek()) || (peek() == '.' && is_digit(peek(1)))) return add(TokenKind::number, number_length());
    if (is_word(peek())) return word();
    if (peek() == '"') return add(TokenKind::string, quoted_length(0));
    if (peek() == '\'') return character(0);
    if (peek() == '<' && in_include()) {
      const std::size_t end = source_.find_first_of(">\n", at_);
      if (end != std::string_view::npos && source_[end] == '>') return add(TokenKind::header, end + 1 - at_);
    }
    if (const std::size_t n = spaced_launch(); n > 0) return add(TokenKind::punctuator, n);
    for (std::string_view p : punctuators) {
      if (starts(p)) return add(TokenKind::punctuator, p.size());
    }
    add(TokenKind::punctuator, 1);
  }

  /// Returns the length of a `<<<` that a formatter without CUDA support split into `<< <`, or 0.
  std::size_t spaced_launch() const {
    if (!starts("<< ") && !starts("<<\t")) return 0;
    const std::size_t end = source_.find_first_not_of(" \t", at_ + 2);
    if (end == std::string_view::npos || source_[end] != '<' || source_.substr(end).starts_with("<<")) return 0;
    const bool is_name = !tokens_.empty() && source_.substr(tokens_.back().begin).starts_with("operator");
    return is_name ? 0 : end + 1 - at_;
  }

  bool in_include() const {
    if (directive_ == 0 || tokens_.empty() || tokens_.back().directive != directive_) return false;
    const Token& last = tokens_.back();
    const std::string_view name = source_.substr(last.begin, last.end - last.begin);
    return name == "include" || name == "include_next";
  }

  std::size_t number_length() const {
    std::size_t n = 1;
    for (;; ++n) {
      const char c = peek(n);
      const char before = static_cast<char>(std::tolower(static_cast<unsigned char>(peek(n - 1))));
      const bool sign = (c == '+' || c == '-') && (before == 'e' || before == 'p') &&
                        !(peek() == '0' && before == 'e' && std::tolower(static_cast<unsigned char>(peek(1))) == 'x');
      if (!is_word(c) && c != '.' && !sign && !(c == '\'' && is_word(peek(n + 1)))) return n;
    }
  }

  /// Returns the length of the literal whose quote is `prefix` characters ahead; 0 if it does not end on its line.
  std::size_t quoted_length(std::size_t prefix) const {
    const char quote = peek(prefix);
    for (std::size_t n = prefix + 1; at_ + n < source_.size(); ++n) {
      if (peek(n) == '\\') {
        n += peek(n + 1) == '\r' && peek(n + 2) == '\n' ? 2 : 1;
      } else if (peek(n) == quote) {
        return n + 1;
      } else if (peek(n) == '\n') {
        break;
      }
    }
    return quote == '"' ? prefix + 1 : 0;
  }

  void character(std::size_t prefix) {
    const std::size_t n = quoted_length(prefix);
    n == 0 ? add(TokenKind::punctuator, 1) : add(TokenKind::character, n);  // an apostrophe in an #error line
  }

  void word() {
    std::size_t n = 1;
    while (is_word(peek(n))) ++n;
    const std::string_view name = source_.substr(at_, n);
    const bool prefix = name == "L" || name == "u" || name == "U" || name == "u8";
    const bool raw = name == "R" || name == "LR" || name == "uR" || name == "UR" || name == "u8R";
    if (raw && peek(n) == '"') return raw_string(n);
    if (prefix && peek(n) == '"') return add(TokenKind::string, quoted_length(n));
    if (prefix && peek(n) == '\'' && quoted_length(n) > 0) return add(TokenKind::character, quoted_length(n));
    const bool directive_name = directive_ != 0 && !tokens_.empty() && tokens_.back().directive == directive_ &&
                                source_[tokens_.back().begin] == '#' && tokens_.back().end == tokens_.back().begin + 1;
    add(TokenKind::identifier, n);
    if (directive_name && name == "if") maybe_skip_group();
  }

  void raw_string(std::size_t quote) {
    const std::size_t open = source_.find('(', at_ + quote);
    if (open == std::string_view::npos) return add(TokenKind::string, source_.size() - at_);
    const std::string close = ")" + std::string(source_.substr(at_ + quote + 1, open - at_ - quote - 1)) + "\"";
    const std::size_t end = source_.find(close, open);
    add(TokenKind::string, (end == std::string_view::npos ? source_.size() : end + close.size()) - at_);
  }

  /// Skips the code disabled by `#if 0`, up to the matching #else, #elif or #endif. Called with the position after
  /// `#if`.
  void maybe_skip_group() {
    std::size_t i = at_;
    while (i < source_.size() && (source_[i] == ' ' || source_[i] == '\t')) ++i;
    if (i >= source_.size() || source_[i] != '0') return;
    if (const std::string_view rest = line_at(i + 1); rest.find_first_not_of(" \t\r") != std::string_view::npos &&
                                                      !rest.substr(rest.find_first_not_of(" \t\r")).starts_with("/"))
      return;
    int depth = 0;
    for (i = source_.find('\n', i); i != std::string_view::npos; i = source_.find('\n', i + 1)) {
      std::string_view text = line_at(i + 1);
      text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
      if (!text.starts_with("#")) continue;
      text.remove_prefix(1);
      text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
      if (text.starts_with("if")) ++depth;
      if (depth == 0 && (text.starts_with("el") || text.starts_with("endif"))) break;
      if (text.starts_with("endif")) --depth;
    }
    advance((i == std::string_view::npos ? source_.size() : i) - at_);
  }

  std::string_view line_at(std::size_t begin) const {
    if (begin >= source_.size()) return {};
    return source_.substr(begin, std::min(source_.find('\n', begin), source_.size()) - begin);
  }

  std::string_view source_;
  std::size_t at_ = 0;
  int line_ = 1;
  int n_directives_ = 0;
  int directive_ = 0;
  bool fresh_ = true;  // only blanks on this line so far
  std::vector<Token> tokens_;
};

char opposite(char c) {
  switch (c) {
    case ')': return '(';
    case ']': return '[';
    case '}': return '{';
    default: return '\0';
  }
}

}  // namespace

Tokens::Tokens(std::string_view source) : source_(source), tokens_(Scanner(source).scan()) { pair_brackets(); }

std::string_view Tokens::text(int i) const {
  if (i < 0 || i >= size()) return {};
  return source_.substr((*this)[i].begin, (*this)[i].end - (*this)[i].begin);
}

std::string_view Tokens::text(int first, int last) const {
  if (first > last) return {};
  return source_.substr((*this)[first].begin, (*this)[last].end - (*this)[first].begin);
}

/// Pairs brackets. Both branches of an #if may open the same bracket, so each starts with the brackets open before the
/// #if.
void Tokens::pair_brackets() {
  partners_.assign(tokens_.size(), -1);
  std::vector<int> open, in_directive;
  std::vector<std::vector<int>> before_if;
  int directive = 0;
  for (int i = 0; i < size(); ++i) {
    const Token& token = (*this)[i];
    if (token.directive != directive) {
      directive = token.directive;
      in_directive.clear();
      const std::string_view name = directive != 0 ? text(i + 1) : std::string_view();
      if (name.starts_with("if")) before_if.push_back(open);
      if (name.starts_with("el") && !before_if.empty()) open = before_if.back();
      if (name == "endif" && !before_if.empty()) before_if.pop_back();
    }
    if (token.kind != TokenKind::punctuator || token.end != token.begin + 1) continue;
    std::vector<int>& stack = directive != 0 ? in_directive : open;
    const char c = source_[token.begin];
    if (c == '(' || c == '[' || c == '{') stack.push_back(i);
    if (opposite(c) == '\0' || stack.empty() || source_[(*this)[stack.back()].begin] != opposite(c)) continue;
    partners_[static_cast<std::size_t>(i)] = stack.back();
    partners_[static_cast<std::size_t>(stack.back())] = i;
    stack.pop_back();
  }
}

int Tokens::close_angle(int i) const {
  int depth = 0;
  for (int at = i; at < size() && (*this)[at].directive == (*this)[i].directive; ++at) {
    if (is(at, "<")) ++depth;
    if (is(at, ">") && --depth == 0) return at;
    if (is(at, "(") || is(at, "[") || is(at, "{")) at = partner(at);
    if (at < 0 || is(at, ";") || is(at, "}") || (is(at, ")") && partner(at) < i)) return -1;
  }
  return -1;
}

int Tokens::open_angle(int i) const {
  int depth = 0;
  for (int at = i; at >= 0 && (*this)[at].directive == (*this)[i].directive; --at) {
    if (is(at, ">")) ++depth;
    if (is(at, "<") && --depth == 0) return at;
    if (is(at, ")") || is(at, "]") || is(at, "}")) at = partner(at);
    if (at < 0 || is(at, ";") || is(at, "{") || (is(at, "(") && partner(at) > i)) return -1;
  }
  return -1;
}

std::string Tokens::flat(int first, int last) const {
  std::string result;
  for (int i = first; i <= last; ++i) {
    if (i > first && (*this)[i].begin > (*this)[i - 1].end) result += ' ';
    result += text(i);
  }
  return result;
}

}  // namespace rafter::simt::build
