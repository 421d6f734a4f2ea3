#include "executor/build/reduced.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <sstream>

#include "base/cuda_toolkit.hpp"
#include "base/files.hpp"
#include "base/process.hpp"
#include "executor/build/cache.hpp"
#include "executor/build/rewrite/rewriter.hpp"
#include "executor/build/rewrite/scopes.hpp"
#include "executor/build/toolchain.hpp"
#include "rafter/error.hpp"

namespace rafter::simt::build {

namespace fs = std::filesystem;

namespace {

using Words = std::set<std::string, std::less<>>;

/// A declaration at the scope of the file or of a namespace: the tokens [first, last].
struct Part {
  int first, last;
  Words names{};  ///< What it declares.
  Words uses{};   ///< All of its identifiers.
  bool is_kept = false;
};

class Reducer {
 public:
  Reducer(std::string text, const std::vector<std::string>& names) : text_(std::move(text)), tokens_(text_) {
    read_macros();
    read_declarations(0, tokens_.size());
    keep(names);
  }

  /// Removes a header.
  void remove_include(int hash, int last) { removed_includes_.emplace_back(hash, last); }

  const Tokens& tokens() const { return tokens_; }

  std::string reduced() const {
    std::string kept = text_;
    const auto blank = [&](std::size_t begin, std::size_t end) {
      for (std::size_t at = begin; at < end; ++at) kept[at] = kept[at] == '\n' ? '\n' : ' ';
    };
    for (const Part& one : declarations_) {
      if (one.is_kept) continue;
      std::size_t begin = tokens_[one.first].begin;
      for (int i = one.first; i <= one.last; ++i) {  // preprocessor lines stay
        if (tokens_[i].directive == 0) continue;
        blank(begin, tokens_[i].begin);
        while (tokens_[i + 1].directive == tokens_[i].directive) ++i;
        begin = tokens_[i].end;
      }
      blank(begin, tokens_[one.last].end);
    }
    for (const auto& [hash, last] : removed_includes_) blank(tokens_[hash].begin, tokens_[last].end);
    return kept;
  }

 private:
  void read_macros() {
    for (int i = 0; i < tokens_.size(); ++i) {
      if (tokens_[i].directive == 0 || !tokens_.is(i, "#") || !tokens_.is(i + 1, "define")) continue;
      Words& body = macros_[std::string(tokens_.text(i + 2))];
      for (int at = i + 3; tokens_[at].directive == tokens_[i].directive; ++at) {
        if (tokens_.is_identifier(at)) body.emplace(tokens_.text(at));
      }
    }
  }

  bool is_macro_with_device_code(std::string_view word) const {
    const auto found = macros_.find(word);
    return found != macros_.end() && (found->second.contains("__global__") || found->second.contains("__device__") ||
                                      found->second.contains("__constant__"));
  }

  void read_declarations(int first, int end) {
    for (int i = first; i < end; ++i) {
      if (tokens_[i].directive != 0 || tokens_.is(i, ";")) continue;
      const int brace = scope_brace(i);
      if (brace > 0) {
        read_declarations(brace + 1, tokens_.partner(brace));
        i = tokens_.partner(brace);
      } else {
        declarations_.push_back(read_declaration(i, end));
        i = declarations_.back().last;
      }
    }
  }

  /// Returns the brace of `namespace a {` or `extern "C" {` at token `i`, or -1.
  int scope_brace(int i) const {
    const int start = i;
    while (tokens_.is(i, "inline")) ++i;
    if (tokens_.is(i, "extern") && tokens_[i + 1].kind == TokenKind::string) return tokens_.is(i + 2, "{") ? i + 2 : -1;
    if (!tokens_.is(i, "namespace")) return -1;
    while (i < tokens_.size() && !tokens_.is(i, "{") && !tokens_.is(i, ";") && !tokens_.is(i, "=")) ++i;
    return tokens_.is(i, "{") && tokens_.partner(i) > start ? i : -1;
  }

  Part read_declaration(int first, int end) const {
    Part made{first, first};
    bool is_type = false, has_parameters = false, has_value = false;
    int i = first;
    for (; i < end; ++i) {
      if (tokens_[i].directive != 0) continue;
      made.last = i;
      if (tokens_.is_identifier(i)) note_identifier(i, made, is_type);
      if (tokens_.is(i, ";")) break;
      has_value = has_value || tokens_.is(i, "=");
      if (tokens_.is(i, "template") && tokens_.is(i + 1, "<") && tokens_.close_angle(i + 1) > 0) {
        add_uses(i, tokens_.close_angle(i + 1), made.uses);
        i = tokens_.close_angle(i + 1);
      } else if (tokens_.is(i, "(") || tokens_.is(i, "[") || tokens_.is(i, "{")) {
        const int close = tokens_.partner(i);
        if (close < i) break;
        add_uses(i, close, made.uses);
        if (tokens_.is(i, "{") && is_enum(first, i)) add_uses(i, close, made.names);
        made.last = close;
        const bool is_body = tokens_.is(i, "{") && has_parameters && !has_value && !is_type;
        has_parameters = has_parameters || tokens_.is(i, "(");
        i = close;
        if (is_body) break;
      }
    }
    if (tokens_.is(first, "typedef")) made.names.insert(made.uses.begin(), made.uses.end());
    const bool is_operator = made.uses.contains("operator") && made.uses.contains("__device__");
    made.is_kept = is_operator || tokens_.is(first, "static_assert") || tokens_.is(first, "namespace") ||
                   (tokens_.is(first, "using") && tokens_.is(first + 1, "namespace"));
    for (const std::string& word : made.uses) made.is_kept = made.is_kept || is_macro_with_device_code(word);
    return made;
  }

  /// Notes an identifier outside of brackets: it is used, and declared if it is in the place of a
  /// declared name.
  void note_identifier(int i, Part& made, bool& is_type) const {
    const std::string word(tokens_.text(i));
    made.uses.insert(word);
    const bool begins_type = word == "struct" || word == "class" || word == "union" || word == "enum";
    const bool is_named = tokens_.is(i + 1, "(") || tokens_.is(i + 1, ";") || tokens_.is(i + 1, "=") ||
                          tokens_.is(i + 1, "[") || tokens_.is(i + 1, ",") || tokens_.is(i + 1, "{") ||
                          tokens_.is(i + 1, "::") || tokens_.is(i + 1, ":") || tokens_.is(i + 1, "<");
    is_type = is_type || begins_type;
    if (is_named) made.names.insert(word);
  }

  bool is_enum(int first, int brace) const {
    for (int i = first; i < brace; ++i) {
      if (tokens_.is(i, "enum")) return true;
    }
    return false;
  }

  void add_uses(int first, int last, Words& words) const {
    for (int i = first; i <= last; ++i) {
      if (tokens_.is_identifier(i)) words.emplace(tokens_.text(i));
    }
  }

  /// Keeps what the names reach.
  void keep(const std::vector<std::string>& names) {
    Words needed;
    std::vector<std::string> waiting;
    const auto need = [&](const std::string& word) {
      if (needed.insert(word).second) waiting.push_back(word);
    };
    const auto need_text = [&](const std::string& text) {
      const Tokens words(text);
      for (int i = 0; i < words.size(); ++i) {
        if (words.is_identifier(i)) need(std::string(words.text(i)));
      }
    };
    for (const std::string& name : names) need_text(name);
    for (const Part& one : declarations_) {
      if (one.is_kept) std::for_each(one.uses.begin(), one.uses.end(), need);
    }
    while (!waiting.empty()) {
      const std::string word = waiting.back();
      waiting.pop_back();
      if (const auto macro = macros_.find(word); macro != macros_.end())
        std::for_each(macro->second.begin(), macro->second.end(), need);
      for (Part& one : declarations_) {
        if (one.is_kept || !one.names.contains(word)) continue;
        one.is_kept = true;
        std::for_each(one.uses.begin(), one.uses.end(), need);
      }
    }
  }

  std::string text_;
  Tokens tokens_;
  std::map<std::string, Words, std::less<>> macros_{};
  std::vector<Part> declarations_{};
  std::vector<std::pair<int, int>> removed_includes_{};
};

/// An #include line, spelled with its brackets.
struct IncludeLine {
  int hash, last;
  std::string spelled;
};

std::vector<IncludeLine> include_lines_of(const Tokens& tokens) {
  std::vector<IncludeLine> lines;
  for (int i = 0; i < tokens.size(); ++i) {
    if (tokens[i].directive != 0 && tokens.is(i, "#") && tokens.is(i + 1, "include"))
      lines.push_back({i, i + 2, std::string(tokens.text(i + 2))});
  }
  return lines;
}

/// Returns the spelled headers that the compiler does not find.
Words missing_headers(const std::vector<IncludeLine>& lines, const CompileOptions& options) {
  std::string text;
  for (const IncludeLine& line : lines)
    text += fmt::format("#if !__has_include({0})\nrafter_missing {0}\n#endif\n", line.spelled);
  const base::ScratchFolder scratch;
  const fs::path file = scratch.path() / "headers.cpp";
  base::write_file(file, text);
  base::Command command{toolchain().compiler, "-E", "-P", "-w", "-x", "c++", "-I" + toolchain().shim_dir.string()};
  for (const fs::path& folder : options.include_dirs) command.push_back("-I" + folder.string());
  for (const fs::path& folder : options.system_dirs) command.push_back("-I" + folder.string());
  if (const fs::path nvcc = base::find_cuda_program("nvcc"); !nvcc.empty())
    command.push_back("-I" + (nvcc.parent_path().parent_path() / "include").string());
  command.push_back(file.string());
  const base::Outcome ended = base::run(command);
  Words missing;
  std::istringstream output(ended.succeeded() ? ended.output : "");
  for (std::string line; std::getline(output, line);) {
    if (line.starts_with("rafter_missing ")) missing.insert(line.substr(15));
  }
  return missing;
}

}  // namespace

std::string reduced_text(const fs::path& file, const CompileOptions& options, const std::vector<std::string>& names,
                         Libraries libraries) {
  Reducer reducer(with_headers(file, options), names);
  const std::vector<IncludeLine> lines = include_lines_of(reducer.tokens());
  const Words missing = missing_headers(lines, options);
  bool any_library = false;
  for (const IncludeLine& line : lines) {
    const bool is_library = libraries == Libraries::replaced && line.spelled.size() > 2 &&
                            !library_of(std::string_view(line.spelled).substr(1)).empty();
    if (is_library || missing.contains(line.spelled)) reducer.remove_include(line.hash, line.last);
    any_library = any_library || is_library;
  }
  // Headers of libraries bring those of the element types along.
  const char* const of_types = "#include <cuda_bf16.h>\n#include <cuda_fp16.h>\n";
  return (any_library ? of_types : "") + reducer.reduced();
}

fs::path build_what_is_needed(const fs::path& file, const CompileOptions& options,
                              const std::vector<std::string>& names, Libraries libraries,
                              const std::function<fs::path(const fs::path&)>& build) {
  try {
    return build(file);
  } catch (const Error& whole) {
    if (whole.code() != ErrorCode::bad_argument && whole.code() != ErrorCode::unsupported) throw;
    const std::string text = reduced_text(file, options, names, libraries);
    Digest digest;
    digest.add(text);
    const fs::path folder = Cache().folder() / "reduced", copy = folder / (digest.text() + ".cu");
    fs::create_directories(folder);
    if (base::read_file(copy) != text) base::write_file(copy, text);
    try {
      return build(copy);
    } catch (const Error&) {
      throw whole;
    }
  }
}

}  // namespace rafter::simt::build
