#include "executor/build/declared.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/files.hpp"
#include "base/process.hpp"
#include "executor/build/rewrite/rewriter.hpp"
#include "executor/build/rewrite/scopes.hpp"
#include "executor/build/toolchain.hpp"
#include "rafter/error.hpp"

namespace rafter::simt::build {

namespace fs = std::filesystem;

namespace {

std::string declared_text(const fs::path& file) {
  std::error_code error;
  const auto text = fs::is_regular_file(file, error) ? base::read_file(file) : std::nullopt;
  if (!text) throw Error(ErrorCode::io, fmt::format("cannot read '{}'", file.string()));
  return *text;
}

/// Puts headers in place of #include lines.
class Inliner {
 public:
  explicit Inliner(const CompileOptions& options) : options_(options) {}

  void add(const fs::path& path) {
    const std::string text = declared_text(path);
    const Tokens tokens(text);
    std::size_t copied = 0;
    text_ += line_directive(1, path);
    for (int i = 0; i < tokens.size(); ++i) {
      if (tokens[i].directive == 0 || !tokens.is(i, "#")) continue;
      const bool is_once = tokens.is(i + 1, "pragma") && tokens.is(i + 2, "once");
      const fs::path found = tokens.is(i + 1, "include") ? resolve(tokens, i + 2, path) : fs::path();
      if (!is_once && found.empty()) continue;
      text_ += text.substr(copied, tokens[i].begin - copied);
      copied = tokens[i + 2].end;
      if (is_once || !seen_.insert(fs::weakly_canonical(found)).second) continue;
      text_ += '\n';
      add(found);
      text_ += line_directive(tokens[i].line, path);
    }
    text_ += text.substr(copied) + "\n";
  }

  std::string text_{};

 private:
  static std::string line_directive(int line, const fs::path& file) {
    return fmt::format("#line {} \"{}\"\n", line, file.string());
  }

  fs::path resolve(const Tokens& tokens, int i, const fs::path& from) const {
    if (tokens[i].kind != TokenKind::header && tokens[i].kind != TokenKind::string) return {};
    const std::string_view spelled = tokens.text(i);
    if (spelled.size() < 3) return {};
    const std::string name(spelled.substr(1, spelled.size() - 2));
    std::vector<fs::path> folders = options_.include_dirs;
    if (tokens[i].kind == TokenKind::string) folders.insert(folders.begin(), from.parent_path());
    for (const fs::path& folder : folders) {
      std::error_code error;
      if (fs::is_regular_file(folder / name, error)) return folder / name;
    }
    return {};
  }

  const CompileOptions& options_;
  std::set<fs::path> seen_{};
};

/// Returns the text without its remaining #include lines: the compiler is to expand the project's macros only.
std::string without_includes(const std::string& text) {
  const Tokens tokens(text);
  std::string kept;
  std::size_t copied = 0;
  for (int i = 0; i < tokens.size(); ++i) {
    if (tokens[i].directive == 0 || !tokens.is(i, "#") || !tokens.is(i + 1, "include")) continue;
    kept += text.substr(copied, tokens[i].begin - copied);
    int last = i;
    while (tokens[last + 1].directive == tokens[i].directive) ++last;
    copied = tokens[last].end;
  }
  return kept + text.substr(copied);
}

bool is_called(const Kernel& kernel, const std::string& name) {
  return kernel.name == name || "::" + kernel.name == name || kernel.name.ends_with("::" + name);
}

std::string last_part(const std::string& name) {
  const std::size_t colon = name.rfind("::");
  return colon == std::string::npos ? name : name.substr(colon + 2);
}

/// A type list without what does not distinguish overloads: spaces, top-level const, __restrict__.
std::string canonical(std::string types) {
  for (const char* word : {"__restrict__", "__restrict", "restrict"}) {
    for (std::size_t at; (at = types.find(word)) != std::string::npos;) types.erase(at, std::string(word).size());
  }
  std::string text;
  for (std::size_t i = 0; i < types.size(); ++i) {
    const auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
    if (std::isspace(static_cast<unsigned char>(types[i])) == 0) {
      text += types[i];
    } else if (!text.empty() && is_word(text.back()) && i + 1 < types.size() && is_word(types[i + 1])) {
      text += ' ';
    }
  }
  return text;
}

std::vector<Kernel> selected(std::vector<Kernel> all, const FunctionName& name) {
  std::erase_if(all, [&](const Kernel& kernel) { return !is_called(kernel, name.name); });
  if (!name.has_types) return all;
  std::vector<Kernel> same = all;
  std::erase_if(same, [&](const Kernel& kernel) {
    return canonical(fmt::format("{}", fmt::join(kernel.types, ","))) != canonical(name.types);
  });
  if (!same.empty()) return same;
  const auto n = static_cast<std::size_t>(std::count(name.types.begin(), name.types.end(), ',')) + 1;
  std::erase_if(all, [&](const Kernel& kernel) { return kernel.parameters.size() != n; });
  return all;
}

}  // namespace

FunctionName parse_function_name(const std::string& text) {
  FunctionName made;
  std::size_t end = std::min(text.find_first_of("<("), text.size());
  made.name = text.substr(0, end);
  while (made.name.ends_with(" ")) made.name.pop_back();
  if (end < text.size() && text[end] == '<') {
    const std::size_t close = text.rfind('>');
    if (close == std::string::npos || close < end)
      throw Error(ErrorCode::bad_argument, fmt::format("'{}': the template arguments have no closing '>'", text));
    made.arguments = text.substr(end, close + 1 - end);
    end = close + 1;
  }
  if (end < text.size() && text[end] == '(' && text.ends_with(")")) {
    made.has_types = true;
    made.types = text.substr(end + 1, text.size() - end - 2);
  }
  return made;
}

std::string with_headers(const fs::path& file, const CompileOptions& options) {
  Inliner inliner(options);
  inliner.add(fs::absolute(file));
  return inliner.text_;
}

Declared::Declared(fs::path file, CompileOptions options)
    : file_(std::move(file)), options_(std::move(options)), text_(declared_text(file_)) {}

const std::string& Declared::expanded() const {
  if (!expanded_.empty()) return expanded_;
  const base::ScratchFolder scratch;
  const fs::path copy = scratch.path() / "declarations.cpp";
  base::write_file(copy, without_includes(with_headers(file_, options_)));
  base::Command command{toolchain().compiler, "-E", "-P", "-w", "-x", "c++", "-D__CUDACC__", "-D__NVCC__"};
  for (const std::string& define : options_.defines) command.push_back("-D" + define);
  command.push_back(copy.string());
  const base::Outcome ended = base::run(command);
  expanded_ = (ended.succeeded() ? ended.output : base::read_file(copy).value_or("")) + "\n";
  return expanded_;
}

std::vector<Kernel> Declared::kernels_called(const FunctionName& name) const {
  std::vector<Kernel> found = selected(find_kernels(text_), name);
  return found.empty() ? selected(find_kernels(expanded()), name) : found;
}

std::vector<Kernel> Declared::functions_called(const FunctionName& name) const {
  std::vector<Kernel> found = selected(find_host_functions(text_, last_part(name.name)), name);
  return found.empty() ? selected(find_host_functions(expanded(), last_part(name.name)), name) : found;
}

std::vector<Kernel> Declared::all_kernels() const {
  std::vector<Kernel> found = find_kernels(text_);
  return found.empty() ? find_kernels(expanded()) : found;
}

std::vector<std::string> Declared::variables() const {
  const Tokens tokens(expanded());
  const Scopes scopes(tokens);
  std::vector<std::string> names;
  for (int i = 0; i < tokens.size(); ++i) {
    if (!tokens.is(i, "__constant__") && !tokens.is(i, "__device__")) continue;
    if (scopes.of(i).kind != ScopeKind::file) continue;
    int end = i;
    while (end < tokens.size() && !tokens.is(end, ";") && !tokens.is(end, "(") && !tokens.is(end, "{") &&
           !tokens.is(end, "=") && !tokens.is(end, "["))
      end = tokens.is(end, "<") && tokens.close_angle(end) > 0 ? tokens.close_angle(end) + 1 : end + 1;
    const bool is_variable = !tokens.is(end, "(") && tokens.is_identifier(end - 1) && end - 1 > i;
    if (is_variable) names.push_back(enclosing_namespaces(tokens, i) + std::string(tokens.text(end - 1)));
  }
  return names;
}

const std::map<std::string, std::set<std::string>>& Declared::words() const {
  if (!words_.empty()) return words_;
  const Tokens tokens(expanded());
  const Scopes scopes(tokens);
  for (int i = 0; i < tokens.size(); ++i) {
    const bool is_body = tokens.is(i, "{") && tokens.partner(i) > i && tokens.is(i - 1, ")");
    const int name = is_body ? tokens.partner(i - 1) - 1 : -1;
    const bool is_function = name >= 0 && scopes.of(name).kind != ScopeKind::function;  // and not an if or a loop
    if (!is_function || !tokens.is_identifier(name)) continue;
    std::set<std::string>& body = words_[std::string(tokens.text(name))];
    for (int at = i; at < tokens.partner(i); ++at) {
      if (tokens.is_identifier(at) || tokens.is(at, "<<<")) body.insert(std::string(tokens.text(at)));
    }
  }
  words_[""] = {};
  return words_;
}

template <class IsWanted>
bool Declared::reaches(const std::string& function, const IsWanted& is_wanted) const {
  std::vector<std::string> waiting{last_part(function)};
  std::set<std::string> seen{waiting.front()};
  while (!waiting.empty()) {
    const auto found = words().find(waiting.back());
    waiting.pop_back();
    if (found == words().end()) continue;
    for (const std::string& word : found->second) {
      if (is_wanted(word)) return true;
      if (words().contains(word) && seen.insert(word).second) waiting.push_back(word);
    }
  }
  return false;
}

bool Declared::launches(const std::string& function) const {
  constexpr std::array<std::string_view, 10> beginnings{"cudaLaunch", "cudaMemcpy", "cudaMemset", "cudaGraphLaunch",
                                                        "cuLaunch",   "cublas",     "cufft",      "cusparse",
                                                        "cusolver",   "cudnn"};
  constexpr std::array<std::string_view, 4> words{"<<<", "thrust", "cub", "cutlass"};
  return reaches(function, [&](const std::string& word) {
    return std::find(words.begin(), words.end(), word) != words.end() ||
           std::any_of(beginnings.begin(), beginnings.end(),
                       [&](std::string_view beginning) { return word.starts_with(beginning); });
  });
}

bool Declared::waits_for_grid(const std::string& kernel) const {
  return reaches(kernel, [](const std::string& word) { return word == "this_grid" || word == "grid_group"; });
}

}  // namespace rafter::simt::build
