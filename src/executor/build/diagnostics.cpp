#include "executor/build/diagnostics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "base/files.hpp"
#include "base/pattern.hpp"
#include "executor/build/compile_setup.hpp"
#include "executor/build/rewrite/kernels.hpp"
#include "executor/build/rewrite/rewriter.hpp"

namespace rafter::simt::build {

namespace fs = std::filesystem;

namespace {

std::string with_original_names(std::string text, const std::map<std::string, std::string>& copies) {
  for (const auto& [copy, original] : copies) {
    for (std::size_t at = 0; (at = text.find(copy, at)) != std::string::npos; at += original.size())
      text.replace(at, copy.size(), original);
  }
  return text;
}

/// Returns the unsupported feature that one line of a compiler's output reports, or nothing.
std::string lacking(const std::string& line) {
  static const base::Pattern refused(fmt::format("^(.*?:\\d+): error: (?:#error )?{}(.*)$", std::string(refusal_mark)));
  static const base::Pattern header(
      R"(^(.*?:\d+): fatal error: ((?:cu|nv|thrust|cub/|cooperative|device_|mma|math_|sm_|helper_cuda|)"
      R"(texture|surface)[^:]*): No such file.*$)");
  // Names that only CUDA uses. If a user's own name is missing, that is an error in the program.
  static const base::Pattern name(R"(^(.*?:\d+): error: '((?:::)?(?:cuda[A-Z]|cu[A-Z][a-z]|CU_|)"
                                  R"((?:cublas|cufft|curand|cusparse|cusolver|cudnn|nccl|nvrtc|nppi?)[A-Z_]|)"
                                  R"(cub\b|thrust\b|nvcuda\b|cooperative_groups\b|__\w|atomic[A-Z]|make_[a-z]+[1-4]\b|)"
                                  R"((?:tex|surf)(?:[123]D|Cubemap))[\w:]*)' )"
                                  R"((?:was not declared|has not been declared|does not name a type).*$)");
  static const base::Pattern member(R"(^(.*?:\d+): error: '(\w+)' (?:is not a member of|in namespace) )"
                                    R"('((?:cub|cooperative_groups|cg|nvcuda|nvcuda::wmma|cuda|thrust)\b[\w:]*)'.*$)");
  if (const auto match = refused.match(line)) return match->at(1) + ": " + match->at(2);
  if (const auto match = header.match(line))
    return match->at(1) + ": " + match->at(2) + ": the executor has no such header";
  if (const auto match = member.match(line))
    return fmt::format("{}: {}::{}: not implemented by the executor", match->at(1), match->at(3), match->at(2));
  static const base::Pattern driver("cu[A-Z].*|CU.*");
  const auto match = name.match(line);
  if (!match) return "";
  if (driver.match(match->at(2)))
    return fmt::format("{}: {}: most of the driver API is not implemented", match->at(1), match->at(2));
  const std::size_t meant = line.find("; did you mean");  // the name may be a typing error
  return match->at(1) + ": " + match->at(2) + ": not implemented by the executor" +
         (meant == std::string::npos ? "" : line.substr(meant));
}

/// Returns the message of a failed static assertion in the executor's headers; `required` is the line that instantiated
/// it.
std::string refused_by_header(const std::string& line, const std::string& required) {
  static const base::Pattern failed(R"(^(.*?:\d+): error: static assertion failed: rafter: (.*)$)");
  const auto match = failed.match(line);
  if (!match) return "";
  return (required.empty() ? match->at(1) : required) + ": " + match->at(2);
}

/// The include stack of the line that the compiler is reporting on, innermost file first.
class Inclusions {
 public:
  void read(const std::string& line) {
    static const base::Pattern include(R"(^(In file included|                ) from (.*?):(\d+)[,:]$)");
    const auto match = include.match(line);
    if (!match) return;
    if (match->at(1) != "                ") places_.clear();
    places_.push_back({match->at(2), match->at(3)});
  }

  /// Returns the include position and the library if the error is that a toolkit header redefines an executor
  /// declaration; otherwise an empty string.
  std::string toolkits(const std::string& line) const {
    static const base::Pattern again(
        R"(^(.*?):\d+: error: (?:redefinition of|conflicting declaration|multiple definition of).*$)");
    const auto match = again.match(line);
    if (!match) return "";
    std::string file = match->at(1);
    for (const Place& place : places_) {
      if (!is_of_toolkit(file)) return "";
      if (is_of_toolkit(place.file)) {
        file = place.file;
        continue;
      }
      const std::string header = fs::path(file).filename().string();
      const std::string library(library_of(header));
      return fmt::format("{}:{}: {}: {}", place.file, place.line, library.empty() ? header : library, not_implemented);
    }
    return "";
  }

 private:
  struct Place {
    std::string file, line;
  };
  static bool is_of_toolkit(const fs::path& file) {
    return is_toolkit(file.parent_path()) || is_toolkit(file.parent_path().parent_path());
  }
  std::vector<Place> places_;
};

std::string unsupported_list(const std::vector<std::string>& lines) {
  std::string text = "the executor cannot run this:";
  for (const std::string& line : lines) text += "\n" + line;
  return text;
}

void add_once(std::vector<std::string>& list, const std::string& entry) {
  if (!entry.empty() && std::find(list.begin(), list.end(), entry) == list.end()) list.push_back(entry);
}

/// Returns an example --arg option for a parameter, with its type if that is arithmetic.
std::string argument_for(const std::string& name, std::string type) {
  static const std::map<std::string, std::string> names{
      {"bool", "bool"},    {"float", "f32"},       {"double", "f64"},       {"__half", "f16"},
      {"half", "f16"},     {"char", "i8"},         {"short", "i16"},        {"int", "i32"},
      {"long", "i64"},     {"long long", "i64"},   {"unsigned", "u32"},     {"unsigned int", "u32"},
      {"size_t", "u64"},   {"std::size_t", "u64"}, {"int32_t", "i32"},      {"int64_t", "i64"},
      {"uint32_t", "u32"}, {"uint64_t", "u64"},    {"std::int64_t", "i64"}, {"unsigned char", "u8"}};
  static const base::Pattern noise(R"(\b(?:const|volatile|__restrict__|__restrict|restrict)\b|^\s+|\s+$)");
  type = noise.replace(type, "");
  const bool is_array = !type.empty() && (type.back() == '*' || type.ends_with("* "));
  type = base::Pattern(R"(\s*\*\s*$|^\s+|\s+$)").replace(type, "");
  const auto found = names.find(type);
  const std::string known = found == names.end() ? "TYPE" : found->second;
  return fmt::format("--arg {}={}", name.empty() ? "NAME" : name, is_array ? known + "[1000]:random" : known + ":1000");
}

/// Describes a program without main: lists its kernels and the command that runs the first of them.
std::string without_main(const std::map<std::string, std::string>& copies) {
  std::string list, example;
  for (const auto& [copy, original] : copies) {
    for (const Kernel& kernel : find_kernels(base::read_file(original).value_or(""))) {
      list += fmt::format("\n  {}:{}: {}{}", original, kernel.line, kernel.name, kernel.is_template ? "<...>" : "");
      if (!example.empty()) continue;
      example = fmt::format("\nTo run one by itself:\n  rafter check {} --kernel {} --grid 4 --block 256", original,
                            kernel.is_template ? "'" + kernel.name + "<float>'" : kernel.name);
      for (std::size_t i = 0; i < kernel.parameters.size(); ++i)
        example += " " + argument_for(kernel.parameters[i], kernel.types[i]);
    }
  }
  return "the program has no main" + (list.empty() ? std::string() : "; its kernels are" + list + example);
}

}  // namespace

Error explain_compile(const std::string& output, const std::map<std::string, std::string>& copies) {
  const std::string text = with_original_names(output, copies);
  std::istringstream stream(text);
  std::vector<std::string> refusals, unknown;
  Inclusions inclusions;
  std::string required;  // the last "required from" line above an error, which is in the user's code
  for (std::string line; std::getline(stream, line);) {
    static const base::Pattern use(R"(^(.*?:\d+):   +required (?:from|by).*$)");
    if (const auto match = use.match(line)) required = match->at(1);
    inclusions.read(line);
    add_once(refusals, inclusions.toolkits(line));
    add_once(refusals, refused_by_header(line, required));
    if (line.find(": error: ") != std::string::npos) required.clear();
    const bool refusal = line.find(refusal_mark) != std::string::npos;
    add_once(refusal ? refusals : unknown, lacking(line));
  }
  // the other errors are consequences
  if (!refusals.empty()) return {ErrorCode::unsupported, unsupported_list(refusals)};
  if (!unknown.empty()) return {ErrorCode::unsupported, unsupported_list(unknown)};
  return {ErrorCode::bad_argument, "the program does not compile:\n" + text};
}

Error explain_link(const std::string& output, const std::map<std::string, std::string>& copies) {
  static const base::Pattern undefined(R"(undefined reference to `((?:cu[a-z]*|nv[a-z]*|nccl|optix)[A-Z_]\w*)')");
  std::vector<std::string> names;
  for (const base::Pattern::Match& match : undefined.find_all(output))
    add_once(names, match.at(1) + ": the executor has no such function");
  if (!names.empty()) return {ErrorCode::unsupported, unsupported_list(names)};
  if (output.find("undefined reference to `main'") != std::string::npos)
    return {ErrorCode::bad_argument, without_main(copies)};
  return {ErrorCode::bad_argument, "the program does not link:\n" + with_original_names(output, copies)};
}

std::vector<std::string> multiply_defined(const std::string& output) {
  static const base::Pattern multiple(R"(multiple definition of `([^']+)')");
  std::vector<std::string> names;
  for (const base::Pattern::Match& match : multiple.find_all(output)) add_once(names, match.at(1));
  return names;
}

}  // namespace rafter::simt::build
