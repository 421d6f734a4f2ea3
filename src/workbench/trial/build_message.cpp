// Messages for a file that could not be built, in terms of the user's own lines.
#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "base/pattern.hpp"
#include "executor/build/rewrite/lexer.hpp"
#include "executor/report/source_lines.hpp"
#include "workbench/trial/message.hpp"
#include "workbench/trial/source.hpp"

namespace rafter::trial {

namespace {

using simt::build::Tokens;

// ---- braces ----

/// Returns a source line as findings show it: "    5 | text".
std::string shown(const LearnerSource& source, int line) { return fmt::format("{:>11} | {}", line, source.line(line)); }

std::size_t indent_of(const LearnerSource& source, int line) {
  std::istringstream lines(source.text);
  std::string words;
  for (int i = 0; i < line; ++i) std::getline(lines, words);
  return words.find_first_not_of(" \t");
}

TryMessage missing_brace(const LearnerSource& source, int line) {
  return {"compile",
          fmt::format("{}:{}: the {{ of this line is never closed: a }} is missing", source.file.string(), line),
          shown(source, line), "Every { needs its }; an editor highlights matching braces."};
}

TryMessage needless_brace(const LearnerSource& source, int line) {
  return {
      "compile",
      fmt::format("{}:{}: this }} has no {{: it is one too many, or a {{ is missing above", source.file.string(), line),
      shown(source, line), "Every } needs its {; an editor highlights matching braces."};
}

/// Finds an unmatched brace. A } indented less than the line of its { probably closes another one: then that { is the
/// unmatched one, although the compiler blames the first of the file. A } indented more is itself unmatched.
std::optional<TryMessage> unbalanced_braces(const LearnerSource& source) {
  const Tokens tokens(source.text);
  std::vector<int> open;  // lines
  int suspect = 0, too_far_right = 0;
  for (int i = 0; i < tokens.size(); ++i) {
    if (tokens.is(i, "#") && (tokens.is(i + 1, "else") || tokens.is(i + 1, "elif"))) return std::nullopt;
    if (tokens[i].directive != 0) continue;
    if (tokens.is(i, "{")) open.push_back(tokens[i].line);
    if (!tokens.is(i, "}")) continue;
    const int line = tokens[i].line;
    if (open.empty()) return needless_brace(source, too_far_right > 0 ? too_far_right : line);
    const bool is_first = tokens[i - 1].line != line;
    const std::size_t indent = indent_of(source, line), of_open = indent_of(source, open.back());
    if (suspect == 0 && is_first && indent < of_open) suspect = open.back();
    if (too_far_right == 0 && is_first && indent > of_open) too_far_right = line;
    open.pop_back();
  }
  if (open.empty()) return std::nullopt;
  return missing_brace(source, suspect > 0 ? suspect : open.back());
}

// ---- the compiler's words ----

/// A compiler error with the template instantiations that led to it.
struct Diagnostic {
  std::string file;
  int line = 0;
  std::string words;
  std::vector<std::string> required;  ///< lines "FILE:LINE: required from here" before it
};

std::vector<Diagnostic> errors_in(const std::string& output) {
  static const base::Pattern error(R"(^(.*?):(\d+): (?:fatal )?error: (.*)$)"),
      use(R"(^(.*?:\d+):   +required from.*$)");
  std::vector<Diagnostic> all;
  std::vector<std::string> required;
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);) {
    if (const auto match = use.match(line)) required.push_back(match->at(1));
    const auto match = error.match(line);
    if (!match) continue;
    all.push_back({match->at(1), std::stoi(match->at(2)), match->at(3), required});
    required.clear();
  }
  return all;
}

bool is_file(const std::string& name, const LearnerSource& source) {
  std::error_code error;
  return std::filesystem::equivalent(name, source.file, error);
}

/// Returns one line of advice on a compiler error.
std::string what_to_do(const Diagnostic& error, const LearnerSource& source) {
  static const base::Pattern semicolon(R"(expected .*';'.* before .*)");
  if (semicolon.match(error.words)) {
    int before = error.line - 1;
    while (before > 0 && source.line(before).empty()) --before;
    const std::string last = base::Pattern(R"(\s*(//.*)?$)").replace(source.line(before), "");
    if (!last.empty() && std::string(";{}").find(last.back()) == std::string::npos)
      return fmt::format("A ; is missing, probably at the end of line {}.", before);
  }
  if (error.words.find("did you mean") != std::string::npos)
    return "Correct the name, or declare it before it is used.";
  if (error.words.find("was not declared") != std::string::npos)
    return "Declare it before it is used, or correct a misspelt name.";
  return "Fix the first error; others often follow from it.";
}

TryMessage message_of_errors(const std::string& output, const LearnerSource& source) {
  const std::vector<Diagnostic> all = errors_in(output);
  const auto is_in_file = [&](const Diagnostic& one) { return is_file(one.file, source); };
  auto first = std::find_if(all.begin(), all.end(), is_in_file);
  const auto n_in_file = std::count_if(all.begin(), all.end(), is_in_file);
  if (first == all.end()) first = all.begin();
  if (first == all.end()) return {"compile", "it does not compile", output, ""};
  std::string detail =
      fmt::format("{}:{}: error: {}\n", simt::report::short_name(first->file), first->line, first->words);
  if (is_in_file(*first)) detail += shown(source, first->line) + "\n";
  for (const std::string& place : first->required) {
    const std::size_t colon = place.rfind(':');
    if (is_in_file(*first) || !is_file(place.substr(0, colon), source)) continue;
    const int line = std::atoi(place.c_str() + colon + 1);
    detail += fmt::format("because of {}:{}\n{}\n", source.file.string(), line, shown(source, line));
  }
  if (n_in_file > 1) detail += fmt::format("and {} more error{}\n", n_in_file - 1, n_in_file == 2 ? "" : "s");
  return {"compile", "it does not compile", detail, what_to_do(*first, source)};
}

// ---- constructs that the executor does not support ----

/// Explains a construct that the executor does not support, or that no GPU runs either.
TryMessage message_of_refusal(const std::string& head, const std::string& lines, const LearnerSource& source) {
  std::istringstream stream(lines);
  std::string detail;
  static const base::Pattern place(R"(^(.*?):(\d+): (.*)$)");
  for (std::string line; std::getline(stream, line);) {
    if (const auto match = place.match(line); match && is_file(match->at(1), source)) {
      line = fmt::format("{}:{}: {}\n{}", source.file.string(), match->at(2), match->at(3),
                         shown(source, std::stoi(match->at(2))));
    }
    detail += line + "\n";
  }
  if (lines.find("it is host code") != std::string::npos) {
    return {"host_code", "host code in a kernel: nvcc rejects it", detail,
            "Kernels can use arguments, arrays of fixed size, loops, and __device__ functions."};
  }
  if (lines.find("too much shared memory") != std::string::npos) {
    return {"compile", "it does not compile for any GPU", detail,
            "Static __shared__ arrays may take 49152 bytes in all; larger ones must be dynamic: extern __shared__."};
  }
  if (lines.find("did you mean") != std::string::npos)
    return {"compile", "it does not compile", detail, "Correct the name."};
  return {"unsupported", head, detail,
          "Remove it to run the kernel on the executor; a GPU may run the kernel as it is."};
}

}  // namespace

TryMessage message_of_build(const Error& error, const LearnerSource& source) {
  const std::string words = error.what();
  const std::size_t end = std::min(words.find('\n'), words.size());
  const std::string head = words.substr(0, end), rest = words.substr(std::min(end + 1, words.size()));
  if (error.code() == ErrorCode::unsupported) return message_of_refusal(head, rest, source);
  const bool is_full = words.find("No space left on device") != std::string::npos;
  if (error.code() == ErrorCode::io || is_full) {
    const bool lacks_compiler = head.find("'g++'") != std::string::npos;
    return {"build", "the build failed for a reason outside of the file: " + (rest.empty() ? head : "the disk is full"),
            rest.substr(0, rest.find('\n')),
            lacks_compiler ? "The executor compiles with g++: install it (apt install g++), and try again."
                           : "Free disk space there, or set XDG_CACHE_HOME or TMPDIR to another disk."};
  }
  if (rest.empty()) return {"compile", head};
  if (auto braces = unbalanced_braces(source)) return *braces;
  return message_of_errors(rest, source);
}

}  // namespace rafter::trial
