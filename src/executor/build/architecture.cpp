// Device code tests __CUDA_ARCH__ to find out what it may use. Here one compilation serves host and device, so the
// rewriter evaluates the test in the text: where the value is compared, and where only device code can be testing it.
// It leaves alone `#ifdef __CUDA_ARCH__` in code that the host runs too, and choices between PTX and an alternative, so
// that the alternative is compiled.
// //
// __CUDACC__ is replaced, in the project's own files only, by a name that is defined when CUDA is compiled: the
// toolkit's and the standard library's headers would otherwise mistake this compiler for nvcc.
#include <string>
#include <vector>

#include "executor/build/rewrite/rewrite_passes.hpp"

namespace rafter::simt::build {

namespace {

constexpr std::string_view macro = "__CUDA_ARCH__";
constexpr const char* value = "900";  // the compute capability in the device's properties

/// One #if ... #endif, with the positions of __CUDA_ARCH__ in its conditions.
struct Choice {
  std::vector<int> asking;
  bool has_assembly = false;
  bool has_other = false;
};

class ArchitectureRewriter {
 public:
  explicit ArchitectureRewriter(const Pass& pass) : pass_(pass), tokens_(pass.tokens) {}

  void rewrite() {
    for (int i = 0; i < tokens_.size(); ++i) {
      const bool begins = tokens_[i].directive != 0 && tokens_[i].directive != tokens_[i - 1].directive;
      if (begins) directive(i);
      if (tokens_.is(i, "asm") || tokens_.is(i, "__asm__") || tokens_.is(i, "__asm")) {
        for (Choice& choice : open_) choice.has_assembly = true;
      }
      if (tokens_.is(i, macro) && (tokens_[i].directive == 0 || is_definition(i))) answer(i);
    }
    while (!open_.empty()) close();
  }

 private:
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

  /// Records the uses of __CUDA_ARCH__ in a condition that should be evaluated.
  void condition(int hash) {
    std::vector<int> asking;
    bool compares = false;
    for (int i = hash + 2; tokens_[i].directive == tokens_[hash].directive && i < tokens_.size(); ++i) {
      if (!tokens_.is(i, macro)) continue;
      asking.push_back(i);
      const bool asks_only = tokens_.text(hash + 1) != "if" && tokens_.text(hash + 1) != "elif";
      compares = compares || !(asks_only || is_defined(i));
    }
    if (asking.empty() || !(compares || pass_.scopes.of(hash).device_only)) return;
    open_.back().asking.insert(open_.back().asking.end(), asking.begin(), asking.end());
  }

  bool is_defined(int i) const {
    return tokens_.is(i - 1, "defined") || (tokens_.is(i - 1, "(") && tokens_.is(i - 2, "defined"));
  }

  void close() {
    const Choice choice = open_.back();
    open_.pop_back();
    if (choice.has_assembly && choice.has_other) return;
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
    replace(i, i, value);
  }

  const Pass& pass_;
  const Tokens& tokens_;
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
