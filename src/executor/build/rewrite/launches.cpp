#include <algorithm>
#include <array>

#include "executor/build/rewrite/rewrite_passes.hpp"

namespace rafter::simt::build {

namespace {

constexpr std::array<std::string_view, 14> keywords{"if",   "while",     "for",    "switch", "return",
                                                    "else", "do",        "sizeof", "case",   "throw",
                                                    "goto", "co_return", "new",    "delete"};

bool is_keyword(std::string_view text) { return std::find(keywords.begin(), keywords.end(), text) != keywords.end(); }

/// Returns the first token of the callee that ends at `last`, or -1.
int callee_begin(const Tokens& tokens, int last) {
  for (int i = last; i >= 0;) {
    int first = i;
    if (tokens.is(i, ">")) {
      first = tokens.open_angle(i) - 1;
      if (!tokens.is_identifier(first)) return -1;
    } else if (tokens.is(i, "]")) {
      i = tokens.partner(i) - 1;
      if (i < 0) return -1;
      continue;
    } else if (tokens.is(i, ")")) {
      first = tokens.partner(i);
      if (first < 0) return -1;
      if (tokens.is(first - 1, ">") || (tokens.is_identifier(first - 1) && !is_keyword(tokens.text(first - 1)))) {
        i = first - 1;  // a call or a macro with arguments
        continue;
      }
      return first;
    } else if (!tokens.is_identifier(i) || is_keyword(tokens.text(i))) {
      return -1;
    }
    if (tokens.is(first - 1, "template")) --first;
    const std::string_view before = tokens.text(first - 1);
    if (before == "##" || before == "." || before == "->") {
      i = first - 2;
    } else if (before == "::") {
      const bool qualified = (tokens.is_identifier(first - 2) && !is_keyword(tokens.text(first - 2))) ||
                             (tokens.is(first - 2, ">") && tokens.open_angle(first - 2) > 0);
      if (!qualified) return first - 1;
      i = first - 2;
    } else {
      return first;
    }
  }
  return -1;
}

/// Returns the first `>` of the `>>>` that matches the `<<<` at `open`, or -1. With `blanks`, it may be split into `>>
/// >`.
int shape_end(const Tokens& tokens, int open, bool blanks) {
  for (int i = open + 1; i + 3 < tokens.size(); ++i) {
    if (tokens[i].directive != tokens[open].directive) {
      if (tokens[open].directive != 0) return -1;
      continue;  // #ifdef within the shape
    }
    if (tokens.is(i, "(") || tokens.is(i, "[") || tokens.is(i, "{")) i = tokens.partner(i);
    if (i < 0 || tokens.is(i, ";") || tokens.is(i, "}")) return -1;
    const bool three = tokens.is(i, ">") && tokens.is(i + 1, ">") && tokens.is(i + 2, ">") &&
                       (blanks || tokens[i + 2].end == tokens[i].begin + 3);
    if (three && tokens.is(i + 3, "(") && tokens.partner(i + 3) > 0) return i;
  }
  return -1;
}

struct Range {
  int first, last;
};

/// Returns the comma-separated parts between brackets `open` and `close`. Commas in template arguments do not separate.
std::vector<Range> arguments(const Tokens& tokens, int open, int close) {
  std::vector<Range> parts;
  int first = open + 1;
  for (int i = first; i <= close; ++i) {
    if (i == close || tokens.is(i, ",")) {
      if (i > first || i != close || !parts.empty()) parts.push_back({first, i - 1});
      first = i + 1;
    } else if (tokens.is(i, "(") || tokens.is(i, "[") || tokens.is(i, "{")) {
      i = tokens.partner(i) < 0 ? i : tokens.partner(i);
    } else if (tokens.is(i, "<") && tokens.is_identifier(i - 1)) {
      // A template argument list is followed by ( or { or :: ; `a < b, c > d` is not.
      const int end = tokens.close_angle(i);
      if (end > 0 && end < close &&
          (tokens.is(end + 1, "(") || tokens.is(end + 1, "{") || tokens.is(end + 1, "::") || end + 1 == close ||
           tokens.is(end + 1, ",")))
        i = end;
    }
  }
  return parts;
}

class LaunchRewriter {
 public:
  LaunchRewriter(const Pass& pass, int open) : pass_(pass), tokens_(pass.tokens), open_(open) {
    if (tokens_[open].directive != 0) macro_ = enclosing_macro(tokens_, open);
  }

  void rewrite() {
    if (open_ == 0 || tokens_.is(open_ - 1, "operator")) return;
    begin_ = callee_begin(tokens_, open_ - 1);
    int end = shape_end(tokens_, open_, false);
    if (end < 0) end = shape_end(tokens_, open_, true);
    if (begin_ < 0 || end < 0 || tokens_[begin_].directive != tokens_[open_].directive) return;
    const std::string known =
        may_be_pointer() ? "::rafter_simt::name_of(" + tokens_.flat(begin_, open_ - 1) + ", " + name() + ")" : name();
    pass_.insert_before(begin_, "(void)::rafter_simt::launch(" + known + ", ::rafter_simt::Shape(");
    pass_.erase(begin_, open_ - 1);
    pass_.erase(open_, open_);
    pass_.edits.replace(tokens_[end].begin, tokens_[end + 2].end, "), ");
    closure(end + 3);
  }

 private:
  /// Returns the kernel's name as written; inside a macro, with the macro's arguments as written at the use.
  std::string name() const {
    std::string result = "\"";
    for (int i = begin_; i < open_; ++i) {
      const std::string_view text = tokens_.text(i);
      if (std::find(macro_.parameters.begin(), macro_.parameters.end(), text) != macro_.parameters.end()) {
        result += "\" #" + std::string(text) + " \"";
      } else if (text != "##") {
        const bool word = tokens_[i].begin > tokens_[std::max(i - 1, begin_)].end && !tokens_.is(i - 1, "##");
        if (word) result += ' ';
        for (char c : text) result += c == '"' || c == '\\' ? std::string("\\") + c : std::string(1, c);
      }
    }
    return result + "\"";
  }

  /// Whether the callee is a variable that may hold the address of any kernel: an element of an array, or a name that
  /// is declared as a variable or a parameter before the launch. Such a launch is named after the kernel, not the
  /// variable.
  bool may_be_pointer() const {
    if (tokens_[open_].directive != 0) return false;
    if (begin_ + 1 != open_) {
      for (int i = begin_; i < open_; ++i) {
        const bool is_call = tokens_.is(i, "(") && i > begin_ && tokens_.is_identifier(i - 1);
        const bool has_effects = is_call || tokens_.is(i, "++") || tokens_.is(i, "--") || tokens_.is(i, "=");
        if (has_effects) return false;  // it must be evaluated once
      }
      return callee_is_value();
    }
    const std::string_view callee = tokens_.text(begin_);
    bool is_declared = false;
    for (int i = 1; i < begin_; ++i) {
      if (tokens_[i].directive != 0 || tokens_.text(i) != callee) continue;
      const bool follows_type = tokens_.is(i - 1, "*") || tokens_.is(i - 1, "&") || tokens_.is(i - 1, "auto") ||
                                (tokens_.is_identifier(i - 1) && !tokens_.is(i - 1, "return"));
      if (tokens_.is(i + 1, "(") || tokens_.is(i + 1, "<")) {
        if (follows_type) return false;  // a function
        continue;
      }
      is_declared = is_declared || follows_type;
    }
    return is_declared;
  }

  /// Whether the callee is a value (a pointer, an element, the result of a call) rather than the name of a kernel.
  bool callee_is_value() const {
    for (int i = begin_; i < open_; ++i) {
      if (tokens_.is(i, "template")) return false;
      if (tokens_.is(i, "<") && tokens_.close_angle(i) > 0) i = tokens_.close_angle(i);
      const bool call = tokens_.is(i, "(") && i > begin_ && tokens_.is_identifier(i - 1);
      if (call && (is_upper(tokens_.text(i - 1)) || pass_.macros.contains(tokens_.text(i - 1)))) return false;
      if (call) return true;
      for (std::string_view mark : {"[", ".", "->", "*"}) {
        if (tokens_.is(i, mark)) return true;
      }
    }
    return false;
  }

  static bool is_upper(std::string_view name) {
    return std::none_of(name.begin(), name.end(), [](char c) { return c >= 'a' && c <= 'z'; });
  }

  void closure(int parenthesis) {
    const int close = tokens_.partner(parenthesis);
    const std::string callee_text = tokens_.flat(begin_, open_ - 1);
    std::string capture = "[=";
    if (callee_is_value()) capture += ", rafter_simt_kernel = (" + callee_text + ")";
    const std::string callee = callee_is_value() ? "rafter_simt_kernel" : callee_text;
    for (int i = parenthesis; i <= close; ++i) {
      if (tokens_[i].directive == tokens_[open_].directive) continue;
      // Conditional directives among the arguments: the arguments stay in place.
      pass_.edits.replace(tokens_[parenthesis].begin, tokens_[parenthesis].end,
                          capture + "]() mutable { " + callee + "(");
      return pass_.edits.replace(tokens_[close].begin, tokens_[close].end, "); })");
    }
    pass_.edits.replace(tokens_[parenthesis].begin, tokens_[parenthesis].end, capture);
    const std::vector<Range> parts = arguments(tokens_, parenthesis, close);
    std::string call, call_of_bytes, captured, around, listed;
    int n_packs = 0;
    bool has_packs = false, have_types = true;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (i > 0) pass_.erase(parts[i].first - 1, parts[i].first - 1);
      const std::string comma = i > 0 ? ", " : "";
      const bool stays_there = parts[i].last < parts[i].first || stays(parts[i]);
      const std::string text = argument(parts[i], static_cast<int>(i), around, n_packs);
      call += comma + text;
      listed += comma + (stays_there ? "0" : text);
      call_of_bytes += comma + (stays_there ? text : "rafter_simt_bytes(" + text + ")");
      has_packs = has_packs || text.ends_with("...");
      have_types = have_types && (!stays_there || is_number(parts[i]));
      if (!stays_there) captured += ", " + text;
    }
    std::string body = callee + "(" + call + "), ::rafter_simt::leaving(1" + captured + "); ::rafter_simt::leaving(0" +
                       captured + ");";
    if (!captured.empty() && !has_packs) {
      const std::string taking = have_types ? "decltype(::rafter_simt::taking(" + call + "))" : "void";
      body = by_bytes(callee, call_of_bytes, captured.substr(2), taking, body);
    }
    body.insert(0, "RAFTER_SIMT_LIST((" + listed + ")); ");
    for (std::size_t end; (end = around.find('\n')) != std::string::npos; around.erase(0, end + 1)) {
      const std::string number = std::to_string(--n_packs);
      body = around.substr(0, end) + ".apply([&](auto&... rafter_simt_pack_" + number + ") { " + body + " });";
    }
    pass_.edits.replace(tokens_[close].begin, tokens_[close].end,
                        "]() mutable { " + body + " }, ::rafter_simt::Lists::arguments)");
  }

  /// Passes arguments whose type has a non-trivial copy as bytes, so that they are not constructed once more per thread
  /// (argument_bytes.hpp).
  static std::string by_bytes(const std::string& callee, const std::string& call, const std::string& captured,
                              const std::string& taking, const std::string& plainly) {
    const std::string name = "rafter_simt_with(" + callee + ")", of_bytes = "rafter_simt_function(" + call + ")";
    return "if constexpr (decltype(::rafter_simt::are_plain(" + captured + "))::value) { " + plainly +
           " } else { ::rafter_simt::call_with_bytes<" + taking + ">([&](auto rafter_simt_with) -> decltype(" + name +
           ") { return " + name + "; }, [&](auto rafter_simt_function, auto rafter_simt_bytes) -> decltype(" +
           of_bytes + ") { " + of_bytes + "; }, [&]() { " + plainly + " }); }";
  }

  /// Captures one argument and returns its name in the call. Packs are captured whole; their names are prepended to
  /// `around`, one per line, innermost first.
  std::string argument(Range range, int index, std::string& around, int& n_packs) {
    const std::string variable = "rafter_simt_argument_" + std::to_string(index);
    if (range.last < range.first) return "";
    if (tokens_.is(range.first, "##")) {
      pass_.erase(range.first, range.first);
      ++range.first;
    }
    if (stays(range)) return take(range, tokens_.flat(range.first, range.last));
    if (const std::string pack = simple_pack(range); !pack.empty()) return take(range, pack + "...");
    const bool pack = tokens_.is(range.last, "...") || is_list(range);
    pass_.insert_before(range.first, ", " + variable + (pack ? " = ::rafter_simt::make_pack(" : " = ("));
    pass_.insert_after(range.last, ")");
    if (!pack) return variable;
    around.insert(0, variable + "\n");
    return "rafter_simt_pack_" + std::to_string(n_packs++) + "...";
  }

  std::string take(Range range, std::string text) const {
    pass_.erase(range.first, range.last);
    return text;
  }

  bool is_number(Range range) const {
    return range.first == range.last && (tokens_[range.first].kind == TokenKind::number ||
                                         tokens_.is(range.first, "true") || tokens_.is(range.first, "false"));
  }

  /// Whether a variable cannot replace the argument: null pointers of all kinds, literals, braced lists.
  bool stays(Range range) const {
    if (tokens_.is(range.first, "{")) return true;
    bool strings = true;
    for (int i = range.first; i <= range.last; ++i) strings = strings && tokens_[i].kind == TokenKind::string;
    if (strings) return true;
    if (range.first != range.last) return false;
    const TokenKind kind = tokens_[range.first].kind;
    const std::string_view text = tokens_.text(range.first);
    if (kind == TokenKind::number || kind == TokenKind::character) return true;
    if (text == "NULL" || text == "nullptr" || text == "true" || text == "false") return true;
    const auto found = pass_.macros.find(text);
    if (found == pass_.macros.end() || found->second.function_like) return false;
    const std::vector<std::string>& body = found->second.body;
    return body.size() == 1 && (body[0] == "NULL" || body[0] == "nullptr" || body[0] == "0");
  }

  /// Returns the name of the pack in `args...` or `std::forward<Args>(args)...`; such a pack is captured by copy
  /// anyway.
  std::string simple_pack(Range range) const {
    if (!tokens_.is(range.last, "...")) return "";
    if (range.last == range.first + 1 && tokens_.is_identifier(range.first))
      return std::string(tokens_.text(range.first));
    const int close = range.last - 1;
    const bool forwarded = tokens_.is(close, ")") && tokens_.partner(close) == close - 2 &&
                           tokens_.is(close - 3, ">") && tokens_.is(tokens_.open_angle(close - 3) - 1, "forward");
    return forwarded ? std::string(tokens_.text(close - 1)) : "";
  }

  /// Whether a name may expand to several arguments, or to none.
  bool is_list(Range range) const {
    const std::string_view text = tokens_.text(range.first);
    if (range.first == range.last && !macro_.variadic.empty() && text == macro_.variadic) return true;
    const auto found = pass_.macros.find(text);
    const bool whole = range.first == range.last || tokens_.partner(range.first + 1) == range.last;
    if (found == pass_.macros.end() || !whole) return false;
    int depth = 0;
    for (const std::string& token : found->second.body) {
      if (token == "(" || token == "[" || token == "{") ++depth;
      if (token == ")" || token == "]" || token == "}") --depth;
      if (depth == 0 && (token == "," || token == "__VA_ARGS__")) return true;
    }
    return found->second.body.empty();
  }

  const Pass& pass_;
  const Tokens& tokens_;
  const int open_;
  int begin_ = -1;
  Macro macro_;
};

}  // namespace

void rewrite_launches(const Pass& pass) {
  for (int i = 0; i < pass.tokens.size(); ++i) {
    const std::string_view text = pass.tokens.text(i);
    if (text.size() >= 3 && text.starts_with("<<") && text.ends_with("<")) LaunchRewriter(pass, i).rewrite();
  }
}

}  // namespace rafter::simt::build
