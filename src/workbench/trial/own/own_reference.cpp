#include "workbench/trial/own/own_reference.hpp"

#include <fmt/format.h>

#include <cstring>
#include <functional>
#include <numeric>
#include <sstream>

#include "base/files.hpp"
#include "executor/build/kernel_driver.hpp"
#include "executor/build/program.hpp"
#include "executor/build/toolchain.hpp"
#include "rafter/error.hpp"
#include "workbench/trial/answer.hpp"
#include "workbench/trial/judged_run.hpp"
#include "workbench/trial/plan.hpp"
#include "workbench/trial/signature.hpp"
#include "workbench/trial/source.hpp"

namespace rafter::trial {

namespace fs = std::filesystem;

namespace {

constexpr const char* function_name = "reference";
constexpr double reference_limit_s = 60;

[[noreturn]] void refuse_reference(const fs::path& file, const std::string& why) {
  throw Error(ErrorCode::bad_argument, fmt::format("the reference {}: {}", file.string(), why));
}

fs::path build_reference(const fs::path& file) {
  const LearnerSource source = read_source(file.string());
  const bool is_kernel = kernel_called(source, function_name) != nullptr;
  if (!is_kernel && !host_function_called(source, function_name))
    refuse_reference(file, fmt::format("it has no function or kernel called {}", function_name));
  const auto generate = is_kernel ? simt::build::generate_exercise_driver : simt::build::generate_host_exercise_driver;
  const fs::path driver =
      base::cache_folder() / "try" / fmt::format("{:016x}.cu", std::hash<std::string>()(file.string() + "|reference"));
  const std::string text = generate(file, function_name);
  if (base::read_file(driver) != text) base::write_file(driver, text);
  simt::build::Build what;
  what.sources = {driver};
  what.options.mode = simt::build::Mode::checked;
  try {
    return simt::build::build_program(what, simt::build::toolchain()).program;
  } catch (const Error& error) {
    refuse_reference(file, fmt::format("it cannot be built\n{}", error.what()));
  }
}

/// Returns the argument with its elements as doubles.
lab::ExerciseArgument widened(const lab::ExerciseArgument& argument) {
  lab::ExerciseArgument wide = argument;
  wide.type = "f64";
  wide.bytes.clear();
  const auto size = static_cast<std::size_t>(lab::element_bytes(argument.type));
  for (std::size_t at = 0; at < argument.bytes.size(); at += size)
    append_element(wide.bytes, "f64", element_at(argument.type, &argument.bytes[at]));
  if (!argument.is_written) wide.bytes.assign(wide.bytes.size(), std::byte{0xff});
  return wide;
}

class Reference {
 public:
  Reference(const fs::path& file, const lab::Exercise& exercise)
      : file_(file), exercise_(exercise), program_(build_reference(file), scratch_.path(), nullptr) {
    const JudgedProgram::Signature signature = program_.signature(reference_limit_s);
    std::istringstream lines(signature.lines);
    for (std::string line; std::getline(lines, line);) types_.push_back(parameter_type(line));
    if (types_.size() != exercise.parameters.size())
      refuse_reference(file, fmt::format("it has {} parameters; {} has {}", types_.size(), exercise.kernel,
                                         exercise.parameters.size()));
    for (std::size_t i = 0; i < types_.size(); ++i) require_fit(i);
  }

  std::vector<ReferenceArray> run(const lab::ExerciseCase& one) const {
    lab::ExerciseCase own = one;
    for (std::size_t i = 0; i < types_.size(); ++i) {
      const bool is_array = own.arguments[i].role != lab::ArgumentRole::scalar;
      if (is_array && types_[i].element != own.arguments[i].type && is_wide(i))
        own.arguments[i] = widened(own.arguments[i]);
    }
    ArgumentOrder order(types_.size());
    std::iota(order.begin(), order.end(), 0);
    const CaseRun ran = program_.run(plan_of(own, order), fmt::format("mode=plain;launch_limit={}", reference_limit_s),
                                     reference_limit_s);
    const auto after = ran.arrays ? arrays_in(*ran.arrays, own, order) : std::nullopt;
    if (!after)
      refuse_reference(file_, fmt::format("it did not end as it should, with {}\n{}", one.text, ran.ended.output));
    std::vector<ReferenceArray> answers(types_.size());
    for (std::size_t i = 0; i < types_.size(); ++i) {
      if (own.arguments[i].role != lab::ArgumentRole::output) continue;
      answers[i] = {own.arguments[i].type, (*after)[i]};
      require_set(one, i, own.arguments[i], answers[i].bytes);
    }
    return answers;
  }

 private:
  bool is_wide(std::size_t i) const {
    return types_[i].element == "f64" && parameter_type(exercise_.parameters[i].type).is_float();
  }

  void require_fit(std::size_t i) const {
    const lab::ExerciseParameter& expected = exercise_.parameters[i];
    const ParameterType type = parameter_type(expected.type);
    const bool same_integers =
        type.is_integer() && types_[i].is_integer() && (!type.is_pointer || type.bits() == types_[i].bits());
    const bool fits =
        type.is_pointer == types_[i].is_pointer && (type.element == types_[i].element || same_integers || is_wide(i));
    if (!fits)
      refuse_reference(
          file_, fmt::format("its parameter {} has another type than {}, {}", i + 1, expected.name, expected.type));
  }

  void require_set(const lab::ExerciseCase& one, std::size_t i, const lab::ExerciseArgument& before,
                   const std::vector<std::byte>& after) const {
    if (before.is_written) return;
    const auto size = static_cast<std::size_t>(lab::element_bytes(before.type));
    for (std::size_t element = 0; element * size < after.size(); ++element) {
      const bool may_be = before.type[0] == 'i' || before.type[0] == 'u';  // -1 has the same bits
      if (!may_be && is_unset_element(after, element, size))
        refuse_reference(
            file_, fmt::format("it leaves {}[{}] unset, with {}", exercise_.parameters[i].name, element, one.text));
    }
  }

  fs::path file_;
  const lab::Exercise& exercise_;
  base::ScratchFolder scratch_{};
  JudgedProgram program_;
  std::vector<ParameterType> types_{};
};

}  // namespace

std::vector<std::vector<ReferenceArray>> reference_answers(const fs::path& file, const lab::Exercise& exercise,
                                                           const std::vector<lab::ExerciseCase>& cases) {
  const Reference reference(file, exercise);
  std::vector<std::vector<ReferenceArray>> all;
  for (const lab::ExerciseCase& one : cases) all.push_back(reference.run(one));
  return all;
}

}  // namespace rafter::trial
