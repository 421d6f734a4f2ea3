// Makes loops with a block barrier in their body count their iterations, so that a barrier can distinguish threads that
// arrive in different iterations (rafter_simt/sync.hpp). A barrier that is called in a separate function does not
// count.
// //
// for (...) { ... __syncthreads(); } becomes
// RAFTER_SIMT_COUNT_ITERATIONS(n) for (...) { RAFTER_SIMT_NEXT_ITERATION(n) ...
// __syncthreads(RAFTER_SIMT_AT_ITERATION(n)); }
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "executor/build/rewrite/kernels.hpp"
#include "executor/build/rewrite/rewrite_passes.hpp"

namespace rafter::simt::build {
namespace {

class IterationCounter {
 public:
  explicit IterationCounter(const Pass& pass)
      : pass_(pass), tokens_(pass.tokens), kernels_(kernel_bodies(pass.tokens)) {}

  void rewrite() {
    for (int i = 0; i < tokens_.size(); ++i) {
      if (tokens_[i].directive != 0) {
        if (tokens_.is(i, "#")) enter_branch(i + 1);
        continue;
      }
      while (!braces_.empty() && i > tokens_.partner(braces_.back().open)) braces_.pop_back();
      if (tokens_.is(i, "{") && tokens_.partner(i) > i)
        braces_.push_back({i, loop_of(i), begins_lambda(i), false, branches_});
      if (is_barrier(i)) count_for(i);
    }
  }

 private:
  struct Brace {
    int open;
    int loop;  // its first token, or -1
    bool is_lambda;
    bool counts;
    std::vector<int> branches;  // the branches of #if that contain it, outermost first
  };

  /// Follows a directive. Every branch of every #if has a number of its own.
  void enter_branch(int name) {
    const std::string_view directive = tokens_.text(name);
    if (directive.starts_with("if")) branches_.push_back(++n_branches_);
    if (branches_.empty()) return;
    if (directive.starts_with("el")) branches_.back() = ++n_branches_;
    if (directive == "endif") branches_.pop_back();
  }
  /// Whether a loop's head is compiled wherever the current token is. A branch of #if can contain a head whose body
  /// ends behind it.
  bool is_always_with(const Brace& loop) const {
    return loop.branches.size() <= branches_.size() &&
           std::equal(loop.branches.begin(), loop.branches.end(), branches_.begin());
  }

  /// Returns the loop whose body begins at `i`, or -1.
  int loop_of(int i) const {
    if (tokens_.is(i - 1, "do")) return i - 1;
    if (!tokens_.is(i - 1, ")")) return -1;
    const int keyword = tokens_.partner(i - 1) - 1;
    return tokens_.is(keyword, "for") || tokens_.is(keyword, "while") ? keyword : -1;
  }
  /// Whether a lambda begins at `i`, in which names of the enclosing scope may be unknown.
  bool begins_lambda(int i) const {
    int before = i - 1;
    while (tokens_.is(before, "mutable") || tokens_.is(before, "noexcept")) --before;
    if (tokens_.is(before, ")")) before = tokens_.partner(before) - 1;
    return tokens_.is(before, "]") || pass_.scopes.of(i).kind != ScopeKind::function;
  }
  bool is_barrier(int i) const {
    return tokens_.text(i).starts_with("__syncthreads") && tokens_.is(i + 1, "(") && tokens_.partner(i + 1) > i &&
           pass_.scopes.of(i).device;
  }
  /// Whether a statement may be inserted before the loop: g++'s own pragmas must directly precede the loop; nvcc's
  /// `unroll` is ignored by g++.
  bool is_free(int loop) const {
    const int directive = tokens_[loop - 1].directive;
    for (int i = loop - 1; directive > 0 && tokens_[i].directive == directive; --i) {
      if (tokens_.is(i, "GCC") || tokens_.is(i, "omp")) return false;
    }
    return tokens_[loop].directive == 0;
  }

  void count_for(int barrier) {
    std::string counters;
    for (auto brace = braces_.rbegin(); brace != braces_.rend() && !brace->is_lambda; ++brace) {
      if (brace->loop < 0 || !is_free(brace->loop) || !is_always_with(*brace)) continue;
      const std::string name = "rafter_simt_iteration_" + std::to_string(brace->loop);
      if (!brace->counts) {
        pass_.insert_before(brace->loop, "RAFTER_SIMT_COUNT_ITERATIONS(" + name + ") ");
        pass_.insert_after(brace->open, " RAFTER_SIMT_NEXT_ITERATION(" + name + ")");
        brace->counts = true;
      }
      counters += (counters.empty() ? "" : ", ") + name;
    }
    const bool has_arguments = tokens_.partner(barrier + 1) > barrier + 2;
    std::string place = "RAFTER_SIMT_AT_ITERATION(" + counters + ")";
    if (is_in_kernel_text(barrier)) {
      place = "RAFTER_SIMT_AT_TOKEN(" + std::to_string(barrier) + (counters.empty() ? "" : ", ") + counters + ")";
    } else if (counters.empty()) {
      return;
    }
    pass_.insert_before(tokens_.partner(barrier + 1), (has_arguments ? ", " : "") + place);
  }

  /// Whether a barrier of a checked build is in a kernel itself, not in a function or lambda.
  bool is_in_kernel_text(int barrier) const {
    constexpr int most_tokens = 1 << 19;  // rafter_simt::in_kernel_text
    if (!pass_.options.structures || barrier >= most_tokens) return false;
    for (auto brace = braces_.rbegin(); brace != braces_.rend(); ++brace) {
      const auto is_it = [&](const KernelBody& body) { return body.open == brace->open; };
      if (std::any_of(kernels_.begin(), kernels_.end(), is_it)) return true;
      if (brace->is_lambda) return false;
    }
    return false;
  }

  const Pass& pass_;
  const Tokens& tokens_;
  const std::vector<KernelBody> kernels_;
  std::vector<Brace> braces_;
  std::vector<int> branches_;
  int n_branches_ = 0;
};

}  // namespace

void count_iterations(const Pass& pass) { IterationCounter(pass).rewrite(); }

}  // namespace rafter::simt::build
