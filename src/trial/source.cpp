#include "trial/source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <regex>
#include <sstream>

#include "base/files.hpp"
#include "base/suggest.hpp"
#include "rafter/error.hpp"
#include "trial/exercises.hpp"

namespace rafter::trial {

namespace fs = std::filesystem;
using simt::build::Kernel;

namespace {

/// Why a parameter does not fit; empty when it does. Numbers are converted as in any call, memory is not.
std::string why_not(const ParameterType& expected, const ParameterType& came) {
  if (expected.is_pointer != came.is_pointer) return expected.is_pointer ? "an array is passed" : "a number is passed";
  if (!expected.is_pointer) {
    if (expected.is_integer() != came.is_integer()) return "a number of another kind is passed";
    return came.is_integer() && came.bits() < 32 ? "sizes do not fit" : "";
  }
  if (!expected.is_const && came.is_const) return "the kernel writes it, so it cannot be const";
  const bool same_integers = expected.is_integer() && came.is_integer() && expected.bits() == came.bits();
  if (expected.element == came.element || same_integers) return "";
  return fmt::format("its elements have {} bits and are {}", expected.bits(),
                     expected.is_integer() ? "integers" : "floats");
}

/// "const float*", whatever spaces stand in the source.
std::string spelled_type(const std::string& type) { return std::regex_replace(type, std::regex(R"(\s+\*)"), "*"); }

std::string spelled(const Kernel& kernel) {
  std::string text = kernel.name + "(";
  for (std::size_t i = 0; i < kernel.types.size(); ++i)
    text += fmt::format("{}{}{}{}", i > 0 ? ", " : "", spelled_type(kernel.types[i]),
                        kernel.parameters[i].empty() ? "" : " ", kernel.parameters[i]);
  return text + ")";
}

TryMessage mismatch(const LearnerSource& source, const Kernel& kernel, const lab::Exercise& exercise,
                    const std::string& lines) {
  return {
      "signature",
      fmt::format("{}:{}: the parameters of {} are not the exercise's", source.file.string(), kernel.line, kernel.name),
      fmt::format("expected  {}\nyours     {}\n{}", exercise.signature(), spelled(kernel), lines),
      fmt::format("Take the exercise's parameters: rafter try {} --starter prints a file to begin from.",
                  exercise.kernel)};
}

/// The exercise's names, all of them, in another order.
bool are_swapped(const Kernel& kernel, const lab::Exercise& exercise) {
  std::vector<std::string> names;
  for (const auto& parameter : exercise.parameters) names.push_back(parameter.name);
  return kernel.parameters != names && std::is_permutation(names.begin(), names.end(), kernel.parameters.begin());
}

}  // namespace

int ParameterType::bits() const { return element.size() > 1 ? std::atoi(element.c_str() + 1) : 0; }

ParameterType parameter_type(std::string text) {
  static const std::map<std::string, std::string> names{
      {"float", "f32"},    {"double", "f64"},       {"int", "i32"},          {"int32_t", "i32"}, {"unsigned", "u32"},
      {"uint32_t", "u32"}, {"unsigned int", "u32"}, {"long", "i64"},         {"int64_t", "i64"}, {"long long", "i64"},
      {"size_t", "u64"},   {"uint64_t", "u64"},     {"unsigned long", "u64"}};
  ParameterType type;
  text = std::regex_replace(text, std::regex(R"(\b(std::|__restrict__|__restrict|restrict)\b|::)"), " ");
  type.is_pointer = text.find('*') != std::string::npos;
  type.is_const = std::regex_search(text.substr(0, text.find('*')), std::regex(R"(\bconst\b)"));
  text = std::regex_replace(text, std::regex(R"(\bconst\b|\*)"), " ");
  text = std::regex_replace(text, std::regex(R"(^ +| +$)"), "");
  const auto known = names.find(std::regex_replace(text, std::regex(" +"), " "));
  type.element = known != names.end() ? known->second : text;
  return type;
}

std::string LearnerSource::line(int number) const {
  std::istringstream lines(text);
  std::string line;
  for (int i = 0; i < number; ++i) std::getline(lines, line);
  const std::size_t first = line.find_first_not_of(" \t");
  return first == std::string::npos ? "" : line.substr(first);
}

LearnerSource read_source(const std::string& file) {
  std::error_code error;
  if (!fs::exists(file, error)) throw Error(ErrorCode::io, fmt::format("there is no file {}", file));
  const auto text = fs::is_regular_file(file, error) ? base::read_file(file) : std::nullopt;
  if (!text) throw Error(ErrorCode::io, fmt::format("cannot read {}", file));
  return {file, *text, simt::build::find_kernels(*text)};
}

const Kernel* kernel_called(const LearnerSource& source, const std::string& name) {
  const std::string bare = name.substr(0, name.find('<'));
  for (const Kernel& kernel : source.kernels) {
    if (kernel.name == bare || kernel.name.ends_with("::" + bare)) return &kernel;
  }
  return nullptr;
}

TryMessage missing_kernel(const LearnerSource& source, const std::string& name) {
  const std::string file = source.file.string();
  if (source.kernels.empty()) {
    return {"no_kernel", fmt::format("{} has no kernel: no function in it is __global__", file), "",
            fmt::format("Name the function {} and write __global__ void before it.", name)};
  }
  std::vector<std::string> names;
  std::string list;
  for (const Kernel& kernel : source.kernels) {
    names.push_back(kernel.name);
    list += fmt::format("{}{}:{}: {}", list.empty() ? "" : "\n", file, kernel.line, spelled(kernel));
  }
  return {"no_kernel", fmt::format("{}: {}", file, base::unknown_name("kernel", name, names)), list,
          fmt::format("Call the kernel {}, or say which one it is: --kernel {}", name, names.front())};
}

std::optional<TryMessage> signature_mismatch(const LearnerSource& source, const Kernel& kernel,
                                             const lab::Exercise& exercise, const std::vector<std::string>& types) {
  const auto& expected = exercise.parameters;
  if (kernel.types.size() != expected.size()) {
    return mismatch(source, kernel, exercise,
                    fmt::format("it takes {} parameter{} instead of {}", kernel.types.size(),
                                kernel.types.size() == 1 ? "" : "s", expected.size()));
  }
  if (are_swapped(kernel, exercise))
    return mismatch(source, kernel, exercise, "the parameters are the right ones in another order");
  std::string lines;
  for (std::size_t i = 0; i < types.size() && i < expected.size(); ++i) {
    const std::string reason = why_not(parameter_type(expected[i].type), parameter_type(types[i]));
    if (reason.empty()) continue;
    lines += fmt::format("{}parameter {}, {}: expected {}, yours is {} ({})", lines.empty() ? "" : "\n", i + 1,
                         expected[i].name, expected[i].type, spelled_type(kernel.types[i]), reason);
  }
  if (lines.empty()) return std::nullopt;
  return mismatch(source, kernel, exercise, lines);
}

std::optional<TryMessage> oversized_launch(const LearnerSource& source, const std::string& kernel) {
  const std::string bare = kernel.substr(0, kernel.find('<'));
  const std::regex launch(bare + R"((?:<[\w ,]*>)?\s*<<<\s*[^,;]*,\s*(\w+)\s*(?:,[^;]*)?>>>)");
  std::istringstream lines(source.text);
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    std::smatch match;
    if (!std::regex_search(line, match, launch)) continue;
    std::string threads = match.str(1);
    // A name: what it was set to as a number.
    const std::regex setting(R"(\b)" + threads + R"(\b\s*[={(]?\s*(\d+)\b)");
    std::smatch value;
    if (threads.find_first_not_of("0123456789") != std::string::npos)
      threads = std::regex_search(source.text, value, setting) ? value.str(1) : "0";
    const long n = std::strtol(threads.c_str(), nullptr, 10);
    if (n <= most_threads) continue;
    return TryMessage{"launch",
                      fmt::format("{}:{}: a launch with {} threads per block", source.file.string(), number, n),
                      fmt::format("{:>5} | {}\nA block has at most {} threads: the GPU refuses this launch, the kernel "
                                  "does not run, and its output stays as it was.",
                                  number, source.line(number), most_threads),
                      fmt::format("Use {} threads or fewer, and more blocks.", most_threads)};
  }
  return std::nullopt;
}

}  // namespace rafter::trial
