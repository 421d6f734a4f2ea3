#include "executor/build/diagnostics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <sstream>
#include <string_view>

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

bool is_in_a_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }

/// Takes a beginning off a text. Returns whether it was there.
bool take(std::string_view& text, std::string_view beginning) {
  if (!text.starts_with(beginning)) return false;
  text.remove_prefix(beginning.size());
  return true;
}

/// Takes a name and its qualifiers off a text: `cub::BlockReduce`.
std::string_view take_name(std::string_view& text) {
  std::size_t n = 0;
  while (n < text.size() && (is_in_a_name(text[n]) || text[n] == ':')) ++n;
  const std::string_view name = text.substr(0, n);
  text.remove_prefix(n);
  return name;
}

/// One line of a compiler's output: FILE:LINE: SEVERITY: TEXT.
struct Message {
  std::string_view place, text;
};

/// Returns the message of a line with that severity, or nothing.
std::optional<Message> message_of(std::string_view line, std::string_view severity) {
  const std::size_t at = line.find(severity);
  if (at == std::string_view::npos || at == 0 || std::isdigit(static_cast<unsigned char>(line[at - 1])) == 0)
    return std::nullopt;
  return Message{line.substr(0, at), line.substr(at + severity.size())};
}

constexpr std::string_view error_mark = ": error: ", fatal_mark = ": fatal error: ";

/// Whether a name begins with one of the words and does not go on as a name.
template <std::size_t n>
bool is_one_of(std::string_view name, const std::array<std::string_view, n>& words) {
  return std::any_of(words.begin(), words.end(), [&](std::string_view word) {
    return name.starts_with(word) && (name.size() == word.size() || !is_in_a_name(name[word.size()]));
  });
}

/// Whether only CUDA uses a name. If a user's own name is missing, that is an error in the program.
bool is_of_cuda(std::string_view name) {
  take(name, "::");
  const auto next_is_upper = [&](std::string_view beginning) {
    return name.starts_with(beginning) && name.size() > beginning.size() && is_upper(name[beginning.size()]);
  };
  constexpr auto libraries = std::to_array<std::string_view>(
      {"cublas", "cufft", "curand", "cusparse", "cusolver", "cudnn", "nccl", "nvrtc", "nppi", "npp"});
  for (const std::string_view library : libraries) {
    if (next_is_upper(library) || (name.starts_with(library) && name.substr(library.size()).starts_with("_")))
      return true;
  }
  if (next_is_upper("cuda") || next_is_upper("atomic") || name.starts_with("CU_")) return true;
  if (next_is_upper("cu") && name.size() > 3 && std::islower(static_cast<unsigned char>(name[3])) != 0) return true;
  if (name.starts_with("__") && name.size() > 2 && is_in_a_name(name[2])) return true;
  if (is_one_of(name, std::to_array<std::string_view>({"cub", "thrust", "nvcuda", "cooperative_groups"}))) return true;
  for (const std::string_view beginning : {"tex", "surf"}) {
    if (!name.starts_with(beginning)) continue;
    const std::string_view rest = name.substr(beginning.size());
    for (const std::string_view kind : {"1D", "2D", "3D", "Cubemap"}) {
      if (rest.starts_with(kind)) return true;
    }
  }
  if (!take(name, "make_")) return false;  // make_float4
  std::size_t letters = 0;
  while (letters < name.size() && std::islower(static_cast<unsigned char>(name[letters])) != 0) ++letters;
  return letters > 0 && letters + 1 == name.size() && name[letters] >= '1' && name[letters] <= '4';
}

bool is_header_of_cuda(std::string_view name) {
  for (const std::string_view beginning : {"cu", "nv", "thrust", "cub/", "cooperative", "device_", "mma", "math_",
                                           "sm_", "helper_cuda", "texture", "surface"}) {
    if (name.starts_with(beginning)) return true;
  }
  return false;
}

/// Returns the missing member of a CUDA namespace that a message names: 'NAME' is not a member of 'SPACE'.
std::string missing_member(std::string_view text) {
  if (!take(text, "'")) return "";
  const std::string_view name = take_name(text);
  if (!take(text, "' is not a member of '") && !take(text, "' in namespace '")) return "";
  constexpr auto spaces =
      std::to_array<std::string_view>({"cub", "cooperative_groups", "cg", "nvcuda", "cuda", "thrust"});
  const std::string_view space = take_name(text);
  return is_one_of(space, spaces) && text.starts_with("'") ? fmt::format("{}::{}", space, name) : "";
}

/// Returns the unsupported feature that one line of a compiler's output reports, or nothing.
std::string lacking(const std::string& line) {
  if (const auto fatal = message_of(line, fatal_mark)) {
    const std::string_view header = fatal->text.substr(0, fatal->text.find(": No such file"));
    if (header.size() < fatal->text.size() && is_header_of_cuda(header))
      return fmt::format("{}: {}: the executor has no such header", fatal->place, header);
  }
  const auto error = message_of(line, error_mark);
  if (!error) return "";
  std::string_view text = error->text;
  take(text, "#error ");
  if (take(text, refusal_mark)) return fmt::format("{}: {}", error->place, text);
  text = error->text;
  if (const std::string member = missing_member(text); !member.empty())
    return fmt::format("{}: {}: not implemented by the executor", error->place, member);
  if (!take(text, "'")) return "";
  const std::string_view name = take_name(text);
  const bool is_unknown =
      take(text, "' was not declared") || take(text, "' has not been declared") || take(text, "' does not name a type");
  if (!is_unknown || !is_of_cuda(name)) return "";
  if (name.starts_with("CU") || (name.size() > 2 && name.starts_with("cu") && is_upper(name[2])))
    return fmt::format("{}: {}: most of the driver API is not implemented", error->place, name);
  const std::size_t meant = line.find("; did you mean");  // the name may be a typing error
  return fmt::format("{}: {}: not implemented by the executor{}", error->place, name,
                     meant == std::string::npos ? "" : line.substr(meant));
}

/// Returns the message of a failed static assertion in the executor's headers; `required` is the line that instantiated
/// it.
std::string refused_by_header(const std::string& line, const std::string& required) {
  const auto error = message_of(line, error_mark);
  if (!error) return "";
  std::string_view text = error->text;
  if (!take(text, "static assertion failed: rafter: ")) return "";
  return fmt::format("{}: {}", required.empty() ? error->place : required, text);
}

/// The include stack of the line that the compiler is reporting on, innermost file first.
class Inclusions {
 public:
  void read(std::string_view line) {
    const bool is_first = take(line, "In file included from ");
    if (!is_first && !take(line, "                 from ")) return;
    line = line.substr(0, line.find_last_not_of(",:") + 1);
    const std::size_t colon = line.rfind(':');
    if (colon == std::string_view::npos) return;
    if (is_first) places_.clear();
    places_.push_back({std::string(line.substr(0, colon)), std::string(line.substr(colon + 1))});
  }

  /// Returns the include position and the library if the error is that a toolkit header redefines an executor
  /// declaration; otherwise an empty string.
  std::string toolkits(const std::string& line) const {
    const auto error = message_of(line, error_mark);
    if (!error) return "";
    const std::string_view text = error->text;
    if (!text.starts_with("redefinition of") && !text.starts_with("conflicting declaration") &&
        !text.starts_with("multiple definition of"))
      return "";
    std::string file(error->place.substr(0, error->place.rfind(':')));
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

/// Returns the place of a line "FILE:LINE:   required from ...", or an empty string.
static std::string instantiation(const std::string& line) {
  const std::size_t at = line.find(":   required ");
  const std::size_t spaces = at == std::string::npos ? line.find(":    required ") : at;
  return spaces == std::string::npos ? "" : line.substr(0, spaces);
}

/// Returns the names that stand between the mark and a closing quote, each once.
static std::vector<std::string> names_after(const std::string& output, std::string_view mark) {
  std::vector<std::string> names;
  for (std::size_t at = output.find(mark); at != std::string::npos; at = output.find(mark, at)) {
    at += mark.size();
    add_once(names, output.substr(at, output.find('\'', at) - at));
  }
  return names;
}

Error explain_compile(const std::string& output, const std::map<std::string, std::string>& copies) {
  const std::string text = with_original_names(output, copies);
  std::istringstream stream(text);
  std::vector<std::string> refusals, unknown;
  Inclusions inclusions;
  std::string required;  // the last "required from" line above an error, which is in the user's code
  for (std::string line; std::getline(stream, line);) {
    if (const std::string user = instantiation(line); !user.empty()) required = user;
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

/// Whether a symbol is one of CUDA's libraries: lower-case letters after `cu` or `nv`, then an upper-case one or `_`.
static bool is_function_of_library(std::string_view name) {
  for (const std::string_view beginning : {"cu", "nv", "nccl", "optix"}) {
    if (!name.starts_with(beginning)) continue;
    std::size_t at = beginning.size();
    while (at < name.size() && beginning.size() == 2 && std::islower(static_cast<unsigned char>(name[at])) != 0) ++at;
    if (at < name.size() && (is_upper(name[at]) || name[at] == '_') &&
        std::all_of(name.begin(), name.end(), is_in_a_name))
      return true;
  }
  return false;
}

Error explain_link(const std::string& output, const std::map<std::string, std::string>& copies) {
  std::vector<std::string> names;
  for (const std::string& name : names_after(output, "undefined reference to `")) {
    if (is_function_of_library(name)) add_once(names, name + ": the executor has no such function");
  }
  if (!names.empty()) return {ErrorCode::unsupported, unsupported_list(names)};
  if (output.find("undefined reference to `main'") != std::string::npos)
    return {ErrorCode::bad_argument, without_main(copies)};
  return {ErrorCode::bad_argument, "the program does not link:\n" + with_original_names(output, copies)};
}

std::vector<std::string> multiply_defined(const std::string& output) {
  return names_after(output, "multiple definition of `");
}

}  // namespace rafter::simt::build
