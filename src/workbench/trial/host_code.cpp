#include "workbench/trial/host_code.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "base/process.hpp"
#include "rafter/error.hpp"

namespace rafter::trial {

using nlohmann::json;

namespace {

constexpr const char* advice =
    "Leave only kernels and the functions that the exercise needs in the file: no code that runs before or after them.";

std::string output_of(const base::Command& command) {
  const base::Outcome outcome = base::run(command);
  if (!outcome.succeeded()) throw Error(ErrorCode::io, fmt::format("{} failed: {}", command[0], outcome.output));
  return outcome.output;
}

/// Returns the path of the program loader that a program names.
std::string loader_of(const std::string& program) {
  const std::string headers = output_of({"readelf", "-lW", program});
  constexpr std::string_view label = "[Requesting program interpreter: ";
  const std::size_t at = headers.find(label);
  if (at == std::string::npos) return "";
  const std::size_t begin = at + label.size();
  return headers.substr(begin, headers.find(']', begin) - begin);
}

/// Whether the symbol is an instance of a template of the C++ library, which several modules may contain.
bool is_library_template(const std::string& name, const std::string& type) {
  constexpr std::string_view beginnings[] = {"_ZNSt", "_ZNKSt", "_ZSt", "_ZN9__gnu_cxx", "_ZNK9__gnu_cxx"};
  return type == "W" && std::any_of(std::begin(beginnings), std::end(beginnings),
                                    [&](std::string_view beginning) { return name.starts_with(beginning); });
}

/// Returns a function that the program exports. The linker exports only what a shared library also has or needs, so
/// such a function takes the place of the library's.
std::optional<std::string> replaced_function(const std::string& program) {
  std::istringstream symbols(output_of({"nm", "-D", "--defined-only", "-P", program}));
  for (std::string line; std::getline(symbols, line);) {
    std::istringstream words(line);
    std::string name, type;
    if (!(words >> name >> type)) continue;
    const bool is_function = type == "T" || type == "W" || type == "i";
    if (is_function && !is_library_template(name, type) && name != "_init" && name != "_fini") return name;
  }
  return std::nullopt;
}

std::optional<std::string> early_part(const std::string& program) {
  if (output_of({"readelf", "-SW", program}).find(".preinit_array") != std::string::npos)
    return "a function in .preinit_array";
  if (output_of({"readelf", "-rW", program}).find("_IRELATIV") != std::string::npos) return "a resolver of an ifunc";
  if (loader_of(program) != loader_of("/proc/self/exe")) return "a program loader of its own";
  return std::nullopt;
}

bool was_launched(const json& report, const std::string& kernel) {
  const json& kernels = report["kernels"];
  return std::any_of(kernels.begin(), kernels.end(),
                     [&](const json& one) { return one["launches"] > 0 && (kernel.empty() || one["name"] == kernel); });
}

bool has_several_elements(const lab::ExerciseCase& one) {
  constexpr std::int64_t largest_element = 8;
  return std::any_of(one.arguments.begin(), one.arguments.end(), [](const lab::ExerciseArgument& argument) {
    return argument.role != lab::ArgumentRole::scalar &&
           std::max(argument.huge_bytes, std::ssize(argument.bytes)) > largest_element;
  });
}

}  // namespace

std::optional<TryMessage> early_code(const std::filesystem::path& program) {
  if (const auto part = early_part(program.string()))
    return TryMessage{"host_code", "the file has " + *part + ", which runs before the checks begin", "", advice};
  if (const auto name = replaced_function(program.string()))
    return TryMessage{"host_code", fmt::format("the file defines {}(), which replaces a function of the checks", *name),
                      "", advice};
  return std::nullopt;
}

std::optional<TryMessage> message_of_host_code(const CaseRun& ran, const std::string& kernel,
                                               const lab::ExerciseCase& one) {
  if (ran.is_forged) {
    return TryMessage{"forged", "host code in the file wrote the result of the check",
                      "The executor signs its results; these have no valid signature.", advice};
  }
  if (!ran.is_complete)
    return TryMessage{"crash", "host code in the file ended the program before the check was complete", "", advice};
  if (was_launched(ran.report, kernel) || (kernel.empty() && !has_several_elements(one))) return std::nullopt;
  return TryMessage{"not_launched", kernel.empty() ? "no kernel was launched" : kernel + " was not launched", "",
                    "The result must be computed by a kernel, not by host code."};
}

}  // namespace rafter::trial
