// Turns kernels whose threads are independent into loops over the threads of a block, which the compiler vectorises:
// //
// __global__ void k(int* p, int n) { int i = threadIdx.x; if (i >= n) return; p[i] = 0; }
// //
// calls rafter_simt::for_threads (rafter_simt/launch/loops.hpp) with a lambda of the same body, in which the built-in
// variables are parameters. A condition at the start that excludes threads is a guard: the loop first evaluates it for
// a whole row of threads and then runs the rest without it. When in doubt, a kernel stays as it is.
#include <algorithm>
#include <cctype>

#include "executor/build/rewrite/callees.hpp"
#include "executor/build/rewrite/grid_index.hpp"
#include "executor/build/rewrite/guards.hpp"
#include "executor/build/rewrite/lanes/emitter.hpp"
#include "executor/build/rewrite/lanes/profit.hpp"
#include "executor/build/rewrite/lanes/uniformity.hpp"
#include "executor/build/rewrite/rewrite_passes.hpp"

namespace rafter::simt::build {

namespace {

class LoopRewriter {
 public:
  LoopRewriter(const Pass& pass, int qualifier)
      : pass_(pass), tokens_(pass.tokens), qualifier_(qualifier), guards_(pass.tokens) {}

  void rewrite() {
    if (!find_body() || !may_loop()) return;
    end_ = tokens_.partner(begin_);
    find_guards();
    pass_.result.has_loops = true;
    const std::string guards = !has_guards_ ? "unguarded" : guards_.are_intervals() ? "interval_guards" : "guarded";
    pass_.insert_after(begin_, " ::rafter_simt::for_threads(::rafter_simt::" + guards + ", ::rafter_simt::" + index() +
                                   ", [=](::uint3 threadIdx, ::uint3 blockIdx, ::rafter_simt::Extents blockDim, "
                                   "::rafter_simt::Extents gridDim, auto rafter_simt_pass) mutable "
                                   "__attribute__((always_inline)) -> bool { {");
    for (int i = begin_; i < end_; ++i) {
      if (tokens_.is(i, "return") && tokens_[i].directive == 0) pass_.insert_after(i, " false");
    }
    pass_.insert_before(end_, closing_ + "} return false; }" + in_lanes() + "); ");
  }

 private:
  /// Returns the body once more for the lanes of a vector (see lanes/README.md), or an empty string. The text is under
  /// a preprocessor condition, so that a compilation that fails can be repeated without it.
  std::string in_lanes() {
    std::optional<lanes::Body> body = lanes::parse(pass_, {parameters_, begin_, end_, guard_ifs_});
    if (!body || !lanes::find_varying(*body) || is_argument()) return "";
    // Tests define this macro to vectorise every kernel that qualifies.
    const bool wants_all = pass_.macros.contains("RAFTER_SIMT_ALL_LANES");
    if (!wants_all && !lanes::is_worthwhile(*body, pass_.options.callees)) return "";
    pass_.result.has_lanes = true;
    return "\n#ifndef RAFTER_SIMT_NO_LANES\n, ::rafter_simt::lanes::in_lanes([=](::rafter_simt::lanes::LaneIndex "
           "threadIdx, ::uint3 "
           "blockIdx, ::rafter_simt::Extents blockDim, ::rafter_simt::Extents gridDim) mutable "
           "__attribute__((always_inline)) { namespace rafter_lanes = ::rafter_simt::lanes; " +
           lanes::emit(pass_, *body) + "})\n#endif\n#line " + std::to_string(tokens_[end_].line) + "\n";
  }

  /// Whether the kernel is inside a macro's parentheses, where directives are not allowed.
  bool is_argument() const {
    for (int i = 0; i < qualifier_; ++i) {
      if (tokens_.is(i, "(") && tokens_.partner(i) > qualifier_) return true;
    }
    return false;
  }

  /// Finds the kernel's parameters and body.
  bool find_body() {
    int open = qualifier_ + 1;
    for (; open < tokens_.size() && !tokens_.is(open, "("); ++open) {
      if (tokens_.is(open, ";") || tokens_.is(open, "{") || tokens_[open].directive != 0) return false;
      if (const int after = skip_attribute(tokens_, open); after > open) open = after - 1;
    }
    parameters_ = open;
    begin_ = tokens_.partner(open) + 1;
    return tokens_.partner(open) > 0 && tokens_.is(begin_, "{") && tokens_.partner(begin_) > 0;
  }

  bool may_loop() const {
    for (int i = pass_.scopes.statement(qualifier_); i < begin_; ++i) {
      if (tokens_[i].directive != 0 || tokens_.is(i, "__cluster_dims__") || tokens_.is(i, "static_assert"))
        return false;
    }
    const int end = tokens_.partner(begin_);
    int depth = 0;  // of #if
    for (int i = begin_; i < end; ++i) {
      if (tokens_[i].directive != 0 && tokens_.is(i, "#")) {
        depth += tokens_.text(i + 1).starts_with("if") ? 1 : tokens_.is(i + 1, "endif") ? -1 : 0;
        if (depth < 0) return false;  // both branches contain a `{`
      }
      if ((tokens_.is(i, "return") && !tokens_.is(i + 1, ";")) || is_endless(i)) return false;
    }
    return depth == 0 && pass_.options.callees.may_loop(tokens_, read_names(tokens_, begin_ + 1, end - 1), parameters_);
  }

  std::string index() const {
    if (!computes_index()) return "index_of_block";
    return GridIndex(tokens_, pass_.macros).is_only_use(begin_ + 1, end_ - 1) ? "index_of_grid_only" : "index_of_grid";
  }

  /// Whether the body contains blockIdx.x * blockDim.x, in either order.
  bool computes_index() const {
    const auto is_member = [&](int i, std::string_view name) {
      return tokens_.is(i, name) && tokens_.is(i + 1, ".") && tokens_.is(i + 2, "x");
    };
    for (int i = begin_; i + 4 < end_; ++i) {
      if (!tokens_.is(i + 3, "*")) continue;
      if (is_member(i, "blockIdx") && is_member(i + 4, "blockDim")) return true;
      if (is_member(i, "blockDim") && is_member(i + 4, "blockIdx")) return true;
    }
    return false;
  }

  /// Whether a loop has no condition and may be endless: the compiler would remove it, so that a hang could not be
  /// reported.
  bool is_endless(int i) const {
    const bool is_for = tokens_.is(i, "for") && tokens_.is(i + 2, ";") && tokens_.is(i + 3, ";");
    const bool is_while =
        tokens_.is(i, "while") && tokens_.is(i + 3, ")") && (tokens_.is(i + 2, "true") || tokens_.is(i + 2, "1"));
    return is_for || is_while;
  }

  /// Finds the guards, starting at the first statement: declarations that only compute, and conditions under which a
  /// thread returns or without which it does nothing.
  void find_guards() {
    int last = -1;  // after the last guard
    for (int i = begin_ + 1; i < end_;) {
      const int after = tokens_.is(i, "if") ? guard(i) : declaration(i);
      if (after < 0) break;
      if (tokens_.is(i, "if")) last = after;
      i = after;
    }
    if (last < 0 || closing_ != "") return;
    pass_.insert_after(last - 1, leave_test);
    closing_ = "} ";
  }

  /// Rewrites `if (condition) return;` or, at the end of the body, `if (condition) { ... }`. Returns the token after
  /// it, or -1.
  int guard(int i) {
    const int open = i + 1, close = tokens_.is(open, "(") ? tokens_.partner(open) : -1;
    if (close < 0 || !only_computes(open + 1, close - 1) || has_assignment(open + 1, close - 1)) return -1;
    int then = close + 1, after = -1;
    if (tokens_.is(then, "return") && tokens_.is(then + 1, ";")) after = then + 2;
    if (tokens_.is(then, "{") && tokens_.is(then + 1, "return") && tokens_.is(then + 2, ";")) after = then + 4;
    const bool returns = after > 0 && !tokens_.is(after, "else");
    const bool is_block = tokens_.is(then, "{") && tokens_.partner(then) + 1 == end_;
    if (!returns && !is_block && !is_last_expression(then)) return -1;
    has_guards_ = true;
    guard_ifs_.insert(i);
    guards_.add_condition(open + 1, close - 1, returns ? "||" : "&&");
    pass_.insert_after(open, returns ? "!rafter_simt_pass.is_active && (" : "rafter_simt_pass.is_active || (");
    pass_.insert_before(close, ")");
    if (returns) return after;
    if (is_block) {
      pass_.insert_after(then, leave_test);
      pass_.insert_before(end_ - 1, "} ");
    } else {
      pass_.insert_before(then, "{" + std::string(leave_test) + " ");
      pass_.insert_after(end_ - 1, " } }");
    }
    closing_ = " ";
    return end_;
  }

  /// Whether the rest of the body is a single expression.
  bool is_last_expression(int i) const {
    for (std::string_view keyword : {"if", "for", "while", "do", "switch", "return", "goto", "break", "{"}) {
      if (tokens_.is(i, keyword)) return false;
    }
    while (i < end_ && !tokens_.is(i, ";") && tokens_[i].directive == 0) i = std::max(i, tokens_.partner(i)) + 1;
    return i + 1 == end_;
  }

  /// Reads `const int i = ..., j = ...;`. Returns the token after it, or -1.
  int declaration(int i) {
    int end = i;
    while (end < end_ && !tokens_.is(end, ";")) ++end;
    int name = i;
    while (tokens_.is_identifier(name + 1) || tokens_.is(name + 1, "::")) ++name;
    if (name == i || !tokens_.is(name + 1, "=") || !tokens_.is(end, ";")) return -1;
    if (!only_computes(name + 2, end - 1)) return -1;
    guards_.add_variables(name, end - 1);
    return end + 1;
  }

  /// Whether the tokens call nothing, write nothing and read no memory. An `=` may begin the value of a second
  /// variable.
  bool only_computes(int first, int last) const {
    for (int i = first; i <= last; ++i) {
      const std::string_view text = tokens_.text(i);
      if (tokens_[i].directive != 0 || (tokens_.is_identifier(i) && !is_value(text))) return false;
      const bool writes =
          (text.size() > 1 && text.ends_with('=') && text != "==" && text != "!=" && text != "<=" && text != ">=") ||
          text == "++" || text == "--";
      const bool reads = text == "[" || text == "->" || text == "{" || (text == "*" && !is_operand(i - 1));
      const bool calls = text == "(" && (is_operand(i - 1) || tokens_.is(i - 1, ">")) && !is_cast(i);
      const bool assigns = text == "=" && !(tokens_.is_identifier(i - 1) && tokens_.is(i - 2, ","));
      if (writes || reads || calls || assigns) return false;
    }
    return first <= last;
  }

  bool has_assignment(int first, int last) const {
    for (int i = first; i <= last; ++i) {
      if (tokens_.is(i, "=")) return true;
    }
    return false;
  }

  /// Whether a name is not a macro, or a macro that consists only of numbers and names.
  bool is_value(std::string_view name) const {
    const auto found = pass_.macros.find(name);
    if (found == pass_.macros.end()) return true;
    const auto is_simple = [](const std::string& token) {
      return std::isalnum(static_cast<unsigned char>(token[0])) != 0 || token == "(" || token == ")" || token == "*" ||
             token == "+" || token == "-" || token == "/";
    };
    const std::vector<std::string>& body = found->second.body;
    for (std::size_t i = 0; i + 1 < body.size(); ++i) {
      if (std::isalpha(static_cast<unsigned char>(body[i][0])) != 0) return false;  // it may be called
    }
    return !found->second.function_like && std::all_of(body.begin(), body.end(), is_simple);
  }

  bool is_cast(int parenthesis) const {
    return tokens_.is(parenthesis - 1, ">") && tokens_.is(tokens_.open_angle(parenthesis - 1) - 1, "static_cast");
  }

  bool is_operand(int i) const {
    return tokens_.is_identifier(i) || tokens_[i].kind == TokenKind::number || tokens_.is(i, ")");
  }

  // A pass that only evaluates the guards stops here.
  static constexpr const char* leave_test = " if constexpr (decltype(rafter_simt_pass)::is_test) return true; else {";

  const Pass& pass_;
  const Tokens& tokens_;
  const int qualifier_;
  int parameters_ = -1, begin_ = -1, end_ = -1;  // the `(` of the parameters, the braces of the body
  bool has_guards_ = false;
  std::set<int> guard_ifs_;
  GuardShape guards_;
  std::string closing_;
};

/// Replaces library calls that would prevent a loop from being vectorised (rafter_simt/numbers/lane_math.hpp).
void rewrite_math(const Pass& pass) {
  const Tokens& tokens = pass.tokens;
  for (int i = 0; i < tokens.size(); ++i) {
    const std::string_view name = tokens.text(i), before = tokens.text(i - 1);
    if ((name != "expf" && name != "logf") || !tokens.is(i + 1, "(") || tokens[i].directive != 0) continue;
    const bool is_other =
        tokens.is_identifier(i - 1) ? before != "return" : before == "." || before == "->" || before == "::";
    if (is_other || !pass.scopes.of(i).device_only || pass.options.callees.has(name)) continue;
    pass.insert_before(i, "::rafter_simt::lane_");
  }
}

}  // namespace

void rewrite_loops(const Pass& pass) {
  if (!pass.options.loops) return;
  for (int i = 0; i < pass.tokens.size(); ++i) {
    if (pass.tokens.is(i, "__global__") && pass.tokens[i].directive == 0) LoopRewriter(pass, i).rewrite();
  }
  if (pass.result.has_loops) rewrite_math(pass);
}

}  // namespace rafter::simt::build
