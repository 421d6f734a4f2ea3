// Marks where threads leave a kernel, so that a barrier can tell a thread that returned early from one that took
// another branch than the one with the barrier.
// //
// if (i >= n) return; ... }   becomes   if (i >= n) return ::rafter_simt_departs(...); ... ::rafter_simt_reaches_end();
// }
// //
// A `return` that a macro hides, or in text that this parser does not understand, stays unmarked.
#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "executor/build/rewrite/kernels.hpp"
#include "executor/build/rewrite/rewrite_passes.hpp"

namespace rafter::simt::build {
namespace {

/// Statements and expressions of a kernel's body, as far as they decide whether a `return` is reached.
class ReturnFinder {
 public:
  struct Return {
    int at;
    std::pair<int, int> loop;                 // tokens of the outermost loop around it; {0, 0}: none
    std::vector<std::pair<int, int>> others;  // branches that a thread takes instead
  };

  explicit ReturnFinder(const Tokens& tokens) : tokens_(tokens) {}

  /// Returns the `return`s between two braces; nothing if the text is not understood.
  std::optional<std::vector<Return>> find(int open, int close) {
    int at = open + 1;
    while (at >= 0 && at < close) at = statement(at, close);
    return at == close ? std::optional(std::move(found_)) : std::nullopt;
  }

 private:
  /// Reads the statement at `i`. Returns the token after it, or -1.
  int statement(int i, int end) {
    if (i < 0) return -1;
    if (tokens_[i].directive != 0) {
      const int directive = tokens_[i].directive;
      while (i < end && tokens_[i].directive == directive) ++i;
      return i;
    }
    if (tokens_.is(i, "{")) return block(i);
    if (tokens_.is(i, "if")) return branch(i, end);
    if (tokens_.is(i, "for") || tokens_.is(i, "while")) return loop(i, after_parentheses(i + 1), end);
    if (tokens_.is(i, "switch")) return statement(after_parentheses(i + 1), end);
    if (tokens_.is(i, "do")) {
      const int body = loop(i, i + 1, end);
      return body > 0 && tokens_.is(body, "while") ? expression(body, end) : -1;
    }
    if (tokens_.is(i, "case") || tokens_.is(i, "default")) {
      while (i < end && !tokens_.is(i, ":") && !tokens_.is(i, ";")) ++i;
      return tokens_.is(i, ":") ? i + 1 : -1;
    }
    if (tokens_.is(i, "return") && tokens_.is(i + 1, ";")) {
      found_.push_back({i, loops_.empty() ? std::pair{0, 0} : loops_.front(), others_});
      return i + 2;
    }
    return expression(i, end);
  }

  int block(int open) {
    const int close = tokens_.partner(open);
    if (close < 0) return -1;
    int at = open + 1;
    while (at >= 0 && at < close) at = statement(at, close);
    return at == close ? close + 1 : -1;
  }

  int after_parentheses(int open) const {
    const int close = tokens_.is(open, "(") ? tokens_.partner(open) : -1;
    return close < 0 ? -1 : close + 1;
  }

  /// Skips to the end of an expression or declaration; the bodies of lambdas are skipped, too.
  int expression(int i, int end) const {
    for (; i < end; ++i) {
      if (tokens_[i].directive != 0) continue;
      if (tokens_.is(i, ";")) return i + 1;
      if (tokens_.is(i, "(") || tokens_.is(i, "[") || tokens_.is(i, "{")) {
        i = tokens_.partner(i);
        if (i < 0) return -1;
      }
    }
    return end;  // a macro that contains the semicolon
  }

  int loop(int keyword, int body, int end) {
    if (body < 0) return -1;
    const std::vector<Return>::size_type first = found_.size();
    loops_.emplace_back(keyword, body);
    const int after = statement(body, end);
    loops_.pop_back();
    if (!loops_.empty()) return after;
    for (auto at = first; at < found_.size(); ++at) found_[at].loop = {keyword, after};
    return after;
  }

  int branch(int i, int end) {
    const int body = after_parentheses(tokens_.is(i + 1, "constexpr") ? i + 2 : i + 1);
    if (body < 0) return -1;
    const auto first = found_.size();
    const int after = statement(body, end);
    if (after < 0 || !tokens_.is(after, "else")) return after;
    const auto second = found_.size();
    const int last = statement(after + 1, end);
    for (auto at = first; at < second; ++at) found_[at].others.emplace_back(after, last);
    for (auto at = second; at < found_.size(); ++at) found_[at].others.emplace_back(body - 1, after);
    return last;
  }

  const Tokens& tokens_;
  std::vector<Return> found_;
  std::vector<std::pair<int, int>> loops_, others_;
};

std::string call_of(const ReturnFinder::Return& one) {
  std::string others;
  for (const auto& [begin, end] : one.others) others += std::to_string(begin) + " " + std::to_string(end) + " ";
  return " ::rafter_simt_departs(" + std::to_string(one.at) + ", " + std::to_string(one.loop.first) + ", " +
         std::to_string(one.loop.second) + ", \"" + others + "\")";
}

}  // namespace

void mark_departures(const Pass& pass) {
  if (!pass.options.structures) return;
  for (const auto& [open, close] : kernel_bodies(pass.tokens)) {
    const auto returns = ReturnFinder(pass.tokens).find(open, close);
    if (!returns) continue;
    for (const ReturnFinder::Return& one : *returns) pass.insert_after(one.at, call_of(one));
    pass.insert_before(close, "::rafter_simt_reaches_end(); ");
  }
}

}  // namespace rafter::simt::build
