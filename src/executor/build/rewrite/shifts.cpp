// Rewrites `a << n` to `a << clamped << n`, and `a <<= n` to `a <<= clamped <<= n`, so that a shift by the type's width
// or more behaves as on a GPU (rafter_simt/numbers/shifts.hpp). Host code and shifts by a small constant stay as they
// are.
#include <algorithm>
#include <cstdlib>
#include <set>
#include <string>

#include "executor/build/rewrite/rewrite_passes.hpp"

namespace rafter::simt::build {

namespace {

class ShiftRewriter {
 public:
  explicit ShiftRewriter(const Pass& pass) : pass_(pass), tokens_(pass.tokens) {
    for (int i = 0; i < tokens_.size(); ++i) {
      if (tokens_.is(i, "if") || tokens_.is(i, "elif")) note_condition(i);
      const bool is_field = tokens_.is(i, ":") && tokens_.is_identifier(i - 1) &&
                            tokens_[i + 1].kind == TokenKind::number &&
                            (tokens_.is(i + 2, ";") || tokens_.is(i + 2, ","));
      if (is_field) bit_fields_.insert(tokens_.text(i - 1));
    }
  }

  void rewrite() {
    for (int i = 1; i < tokens_.size(); ++i) {
      const int last = shift_end(i);
      if (last < 0 || !is_for_kernels(i, last) || is_small(last + 1)) continue;
      const std::string op(tokens_.source().substr(tokens_[i].begin, tokens_[last].end - tokens_[i].begin));
      if (op.ends_with('=') && bit_fields_.contains(tokens_.text(i - 1))) {
        rewrite_bit_field(i, last, op.substr(0, 2));
      } else {
        pass_.insert_after(last, " ::rafter_simt::clamped " + op);
      }
      i = last;
    }
  }

 private:
  void note_condition(int i) {
    if (tokens_[i].directive == 0 || !tokens_.is(i - 1, "#")) return;
    for (int at = i + 1; tokens_[at].directive == tokens_[i].directive; ++at) conditions_.insert(tokens_.text(at));
  }

  /// Returns the last token of the shift operator that begins at `i`, or -1.
  int shift_end(int i) const {
    if (!is_operand_end(i - 1)) return -1;
    if (tokens_.is(i, "<<") || tokens_.is(i, "<<=")) return i;
    const bool two = tokens_.is(i, ">") && tokens_[i + 1].begin == tokens_[i].end;
    if (!two || tokens_.is(i - 1, ">")) return -1;
    if (tokens_.is(i + 1, ">=")) return i + 1;
    const bool is_shift = tokens_.is(i + 1, ">") && !tokens_.is(i + 2, ">") && tokens_.open_angle(i + 1) < 0;
    return is_shift ? i + 1 : -1;
  }

  /// Rewrites `x.f <<= n` to `x.f = x.f << clamped << (n)`, because references to bit-fields do not exist. Expressions
  /// with side effects stay as they are.
  void rewrite_bit_field(int i, int last, const std::string& op) const {
    int first = i - 1;
    while (tokens_.is(first - 1, ".") || tokens_.is(first - 1, "->")) {
      first -= 2;
      while (tokens_.is(first, "]") && tokens_.partner(first) > 0) first = tokens_.partner(first) - 1;
      if (!tokens_.is_identifier(first)) return;
    }
    int end = last + 1;
    while (end < tokens_.size() && !tokens_.is(end, ";") && !tokens_.is(end, ")") && !tokens_.is(end, ",")) {
      const bool opens = tokens_.is(end, "(") || tokens_.is(end, "[") || tokens_.is(end, "{");
      end = opens && tokens_.partner(end) > end ? tokens_.partner(end) + 1 : end + 1;
    }
    const std::string field = tokens_.flat(first, i - 1);
    if (end >= tokens_.size() || field.find("++") != std::string::npos || field.find("--") != std::string::npos) return;
    pass_.edits.replace(tokens_[i].begin, tokens_[last].end,
                        "= " + field + " " + op + " ::rafter_simt::clamped " + op + " (");
    pass_.insert_after(end - 1, ")");
  }

  bool is_operand_end(int i) const {
    if (tokens_.is(i, "operator") || tokens_[i].directive < 0) return false;
    return tokens_.is_identifier(i) || tokens_[i].kind == TokenKind::number ||
           tokens_[i].kind == TokenKind::character || tokens_.is(i, ")") || tokens_.is(i, "]") || tokens_.is(i, "}");
  }

  /// Whether the shift is in device code, or in a macro that shifts by its parameter and is neither for a stream nor
  /// for the preprocessor.
  bool is_for_kernels(int i, int last) const {
    if (tokens_[i].directive == 0) return pass_.scopes.of(i).device;
    const Macro macro = enclosing_macro(tokens_, i);
    const int count = tokens_.is(last + 1, "(") ? last + 2 : last + 1;
    const auto is_parameter = [&](std::string_view name) { return name == tokens_.text(count); };
    if (std::none_of(macro.parameters.begin(), macro.parameters.end(), is_parameter)) return false;
    int name = i;
    while (tokens_[name - 1].directive == tokens_[i].directive) --name;
    const auto is_stream = [](const std::string& word) {
      return word.starts_with('"') || word == "cout" || word == "cerr" || word == "clog" || word == "endl";
    };
    return !conditions_.contains(tokens_.text(name + 2)) &&
           std::none_of(macro.body.begin(), macro.body.end(), is_stream);
  }

  /// Whether the count is a number below every type's width, not followed by an operator that binds more tightly.
  bool is_small(int i) const {
    if (tokens_.text(i).starts_with("0b") || tokens_.text(i).starts_with("0B")) return false;
    if (tokens_[i].kind != TokenKind::number || std::strtoull(tokens_.text(i).data(), nullptr, 0) >= 32) return false;
    for (std::string_view binary : {"+", "-", "*", "/", "%"}) {
      if (tokens_.is(i + 1, binary)) return false;
    }
    return true;
  }

  const Pass& pass_;
  const Tokens& tokens_;
  std::set<std::string_view> bit_fields_, conditions_;
};

}  // namespace

void rewrite_shifts(const Pass& pass) { ShiftRewriter(pass).rewrite(); }

}  // namespace rafter::simt::build
