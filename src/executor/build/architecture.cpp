// Device code tests __CUDA_ARCH__ to find out what it may use. The rewriter evaluates the tests in the text. One
// compilation serves host and device if all tests that have another result on the host are in device functions;
// otherwise the source is compiled for each (sides/assembly.hpp). Choices between PTX and an alternative are left
// alone, so that the alternative is compiled.
//
// __CUDACC__ is replaced, in the project's own files only, by a name that is defined when CUDA is compiled: the
// toolkit's and the standard library's headers would otherwise mistake this compiler for nvcc.
#include <algorithm>
#include <string>
#include <vector>

#include "executor/build/rewrite/rewrite_passes.hpp"
#include "executor/build/sides/conditions.hpp"

namespace rafter::simt::build {

namespace {

constexpr std::string_view macro = "__CUDA_ARCH__";

/// One #if ... #endif, with the positions of __CUDA_ARCH__ in its conditions.
struct Choice {
  std::vector<int> asking;
  bool has_refused_ptx = false;
  bool has_other = false;
  bool differs = false;  // host and device may compile different branches
};

class ArchitectureRewriter {
 public:
  explicit ArchitectureRewriter(const Pass& pass) : pass_(pass), tokens_(pass.tokens) {}

  void rewrite() {
    for (int i = 0; i < tokens_.size(); ++i) {
      const bool begins = tokens_[i].directive != 0 && tokens_[i].directive != tokens_[i - 1].directive;
      if (begins) directive(i);
      if (tokens_.is(i, "asm") || tokens_.is(i, "__asm__") || tokens_.is(i, "__asm")) {
        for (Choice& choice : open_) choice.has_refused_ptx = choice.has_refused_ptx || is_refused(i);
      }
      if (!tokens_.is(i, macro)) continue;
      if (is_definition(i)) definition(i);
      if (tokens_[i].directive == 0) answer(i);
    }
    while (!open_.empty()) close();
  }

 private:
  /// Whether this PTX is not translated (find_refusals).
  bool is_refused(int i) const {
    const std::vector<Refusal>& refusals = pass_.result.refusals;
    return std::any_of(refusals.begin(), refusals.end(),
                       [&](const Refusal& one) { return one.line == tokens_[i].line; });
  }

  bool is_definition(int i) const {
    int first = i;
    while (first > 0 && tokens_[first - 1].directive == tokens_[i].directive) --first;
    return tokens_.is(first + 1, "define") && first + 2 < i;
  }

  void directive(int hash) {
    const std::string_view keyword = tokens_.text(hash + 1);
    if (keyword.starts_with("if")) open_.emplace_back();
    if (open_.empty()) return;
    if (keyword == "else" || keyword.starts_with("elif")) open_.back().has_other = true;
    if (keyword.starts_with("if") || keyword == "elif") condition(hash);
    if (keyword == "endif") close();
  }

  /// A macro may be used anywhere.
  void definition(int i) {
    pass_.result.depends_on_side = true;
    if (pass_.options.side != Side::host) answer(i);
  }

  /// Records the uses of __CUDA_ARCH__ in a condition.
  void condition(int hash) {
    std::vector<int> asking;
    int end = hash + 2;
    for (; tokens_[end].directive == tokens_[hash].directive && end < tokens_.size(); ++end) {
      if (tokens_.is(end, macro)) asking.push_back(end);
    }
    if (asking.empty()) return;
    for (int i = hash + 2; i < end; ++i) {
      if (tokens_.is(i, architecture_features)) asking.push_back(i);
    }
    open_.back().asking.insert(open_.back().asking.end(), asking.begin(), asking.end());
    if (pass_.scopes.of(hash).device_only) return;
    const std::string_view keyword = tokens_.text(hash + 1);
    const bool has_expression = keyword == "if" || keyword == "elif";
    const bool differs = !has_expression || depends_on_side(tokens_, hash + 2, end);
    open_.back().differs = open_.back().differs || differs;
  }

  bool is_defined(int i) const {
    return tokens_.is(i - 1, "defined") || (tokens_.is(i - 1, "(") && tokens_.is(i - 2, "defined"));
  }

  void close() {
    const Choice choice = open_.back();
    open_.pop_back();
    if (choice.has_refused_ptx && choice.has_other) return;
    pass_.result.depends_on_side = pass_.result.depends_on_side || choice.differs;
    const bool is_decided = pass_.options.side == Side::both ? !choice.differs : pass_.options.side == Side::device;
    if (!is_decided) return;
    for (int i : choice.asking) answer(i);
  }

  void answer(int i) {
    const auto replace = [&](int first, int last, const char* text) {
      pass_.edits.replace(tokens_[first].begin, tokens_[last].end, text);
    };
    if (tokens_.is(i - 1, "ifdef")) return replace(i - 1, i, "if 1");
    if (tokens_.is(i - 1, "ifndef")) return replace(i - 1, i, "if 0");
    if (tokens_.is(i - 1, "defined")) return replace(i - 1, i, "1");
    if (is_defined(i)) return replace(i - 2, i + 1, "1");
    replace(i, i, value_.c_str());
  }

  const Pass& pass_;
  const Tokens& tokens_;
  const std::string value_ = std::to_string(device_architecture);
  std::vector<Choice> open_;
};

}  // namespace

void rewrite_architecture(const Pass& pass) {
  ArchitectureRewriter(pass).rewrite();
  for (int i = 0; i < pass.tokens.size(); ++i) {
    if (pass.tokens.is(i, "__CUDACC__") || pass.tokens.is(i, "__NVCC__"))
      pass.edits.replace(pass.tokens[i].begin, pass.tokens[i].end, "RAFTER_SIMT_REWRITTEN");
  }
}

}  // namespace rafter::simt::build
