#include "workbench/trial/signature.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "base/pattern.hpp"

namespace rafter::trial {

using simt::build::Kernel;

namespace {

/// Returns why a parameter does not fit, or "". Numbers are converted as in any call; arrays are not.
std::string why_not(const ParameterType& expected, const ParameterType& came) {
  if (expected.is_pointer != came.is_pointer) return expected.is_pointer ? "an array is passed" : "a number is passed";
  if (!expected.is_pointer) {
    if (expected.is_integer() != came.is_integer()) return "a number of another type is passed";
    return came.is_integer() && came.bits() < 32 ? "sizes need 32 bits or more" : "";
  }
  if (!expected.is_const && came.is_const) return "the kernel writes it, so it cannot be const";
  const bool same_integers = expected.is_integer() && came.is_integer() && expected.bits() == came.bits();
  if (expected.element == came.element || same_integers) return "";
  return fmt::format("its elements have {} bits and are {}", expected.bits(),
                     expected.is_integer() ? "integers" : "floats");
}

/// Returns the type with normalised spaces: "const float*".
std::string spelled_type(const std::string& type) { return base::Pattern(R"(\s+\*)").replace(type, "*"); }

TryMessage mismatch(const LearnerSource& source, const Kernel& kernel, const lab::Exercise& exercise,
                    const std::string& lines) {
  return {
      "signature",
      fmt::format("{}:{}: the parameters of {} do not match the exercise", source.file.string(), kernel.line,
                  kernel.name),
      fmt::format("expected  {}\nyours     {}\n{}", exercise.signature(), spelled(kernel), lines),
      fmt::format("Use the exercise's parameters: rafter try {} --starter prints a starter file.", exercise.kernel)};
}

bool fits(const lab::ExerciseParameter& expected, const std::string& type) {
  return why_not(parameter_type(expected.type), parameter_type(type)).empty();
}

/// Whether the type fits exactly: pointer to const for an input, to non-const for an output.
bool fits_closely(const lab::ExerciseParameter& expected, const std::string& type) {
  return fits(expected, type) && parameter_type(expected.type).is_const == parameter_type(type).is_const;
}

/// Whether the parameters fit in the given order, and no name contradicts it.
bool are_in_order(const Kernel& kernel, const lab::Exercise& exercise, const std::vector<std::string>& types) {
  const auto& expected = exercise.parameters;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const bool is_another = std::any_of(expected.begin(), expected.end(), [&](const lab::ExerciseParameter& one) {
      return one.name == kernel.parameters[i] && one.name != expected[i].name;
    });
    if (is_another || !fits(expected[i], types[i])) return false;
  }
  return true;
}

}  // namespace

std::string spelled(const Kernel& kernel) {
  std::string text = kernel.name + "(";
  for (std::size_t i = 0; i < kernel.types.size(); ++i)
    text += fmt::format("{}{}{}{}", i > 0 ? ", " : "", spelled_type(kernel.types[i]),
                        kernel.parameters[i].empty() ? "" : " ", kernel.parameters[i]);
  return text + ")";
}

int ParameterType::bits() const { return element.size() > 1 ? std::atoi(element.c_str() + 1) : 0; }

ParameterType parameter_type(std::string text) {
  static const std::map<std::string, std::string> names{
      {"float", "f32"},        {"double", "f64"},         {"int", "i32"},
      {"int32_t", "i32"},      {"unsigned", "u32"},       {"uint32_t", "u32"},
      {"unsigned int", "u32"}, {"long", "i64"},           {"int64_t", "i64"},
      {"long long", "i64"},    {"__half", "f16"},         {"half", "f16"},
      {"size_t", "u64"},       {"uint64_t", "u64"},       {"unsigned long", "u64"},
      {"int8_t", "i8"},        {"signed char", "i8"},     {"uint8_t", "u8"},
      {"unsigned char", "u8"}, {"int16_t", "i16"},        {"short", "i16"},
      {"uint16_t", "u16"},     {"unsigned short", "u16"}, {"__nv_bfloat16", "bf16"}};
  ParameterType type;
  text = base::Pattern(R"(\b(std::|__restrict__|__restrict|restrict)\b|::)").replace(text, " ");
  type.is_pointer = text.find('*') != std::string::npos;
  type.is_const = base::Pattern(R"(\bconst\b)").find(text.substr(0, text.find('*'))).has_value();
  text = base::Pattern(R"(\bconst\b|\*)").replace(text, " ");
  text = base::Pattern(R"(^ +| +$)").replace(text, "");
  const auto known = names.find(base::Pattern(" +").replace(text, " "));
  type.element = known != names.end() ? known->second : text;
  return type;
}

std::optional<TryMessage> unfit_kernel(const LearnerSource& source, const Kernel& kernel, const std::string& name,
                                       const lab::Exercise& exercise) {
  const std::string place = fmt::format("{}:{}", source.file.string(), kernel.line);
  const std::string line = fmt::format("{:>11} | {}", kernel.line, source.line(kernel.line));
  if (!kernel.returns.empty()) {
    return TryMessage{
        "signature", fmt::format("{}: {} returns {}, but a kernel returns nothing", place, kernel.name, kernel.returns),
        line, "Write __global__ void; a kernel's results are what it writes to its arrays."};
  }
  if (kernel.is_template && name.find('<') == std::string::npos) {
    return TryMessage{"signature",
                      fmt::format("{}: {} is a template: its template arguments are missing", place, kernel.name), line,
                      fmt::format("Add --kernel '{}<float>' to the command.", kernel.name)};
  }
  const std::size_t n = kernel.types.size();
  if (n == exercise.parameters.size()) return std::nullopt;
  return mismatch(
      source, kernel, exercise,
      fmt::format("it takes {} parameter{} instead of {}", n, n == 1 ? "" : "s", exercise.parameters.size()));
}

std::optional<ArgumentOrder> argument_order(const Kernel& kernel, const lab::Exercise& exercise,
                                            const std::vector<std::string>& types) {
  const auto& expected = exercise.parameters;
  const std::size_t n = expected.size(), none = n;
  if (types.size() != n || kernel.parameters.size() != n) return std::nullopt;
  ArgumentOrder order(n, none);
  if (are_in_order(kernel, exercise, types)) {
    std::iota(order.begin(), order.end(), 0);
    return order;
  }
  std::vector<bool> taken(n);
  const auto assign = [&](const auto& may_be) {
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n && order[i] == none; ++j) {
        if (taken[j] || !may_be(i, expected[j])) continue;
        order[i] = j;
        taken[j] = true;
      }
    }
  };
  assign([&](std::size_t i, const auto& one) { return one.name == kernel.parameters[i] && fits(one, types[i]); });
  assign([&](std::size_t i, const auto& one) { return fits_closely(one, types[i]); });
  assign([&](std::size_t i, const auto& one) { return fits(one, types[i]); });
  if (std::find(order.begin(), order.end(), none) != order.end()) return std::nullopt;
  return order;
}

TryMessage signature_mismatch(const LearnerSource& source, const Kernel& kernel, const lab::Exercise& exercise,
                              const std::vector<std::string>& types) {
  const auto& expected = exercise.parameters;
  std::string lines;
  for (std::size_t i = 0; i < types.size() && i < expected.size(); ++i) {
    // Matched by name if the exercise has a parameter of this name.
    auto meant = std::find_if(expected.begin(), expected.end(),
                              [&](const lab::ExerciseParameter& one) { return one.name == kernel.parameters[i]; });
    if (meant == expected.end()) meant = expected.begin() + static_cast<std::ptrdiff_t>(i);
    const std::string reason = why_not(parameter_type(meant->type), parameter_type(types[i]));
    if (reason.empty()) continue;
    lines += fmt::format("{}parameter {}, {}: expected {}, yours is {} ({})", lines.empty() ? "" : "\n", i + 1,
                         meant->name, meant->type, spelled_type(kernel.types[i]), reason);
  }
  return mismatch(source, kernel, exercise, lines);
}

}  // namespace rafter::trial
