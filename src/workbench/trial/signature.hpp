// Matches a kernel's parameters, in any order, with the exercise's, and explains those that do not fit.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "executor/build/rewrite/kernels.hpp"
#include "workbench/lab/workload/exercise.hpp"
#include "workbench/trial/message.hpp"
#include "workbench/trial/plan.hpp"
#include "workbench/trial/source.hpp"

namespace rafter::trial {

/// A parameter's type, from the compiler ("const f32*") or from the source ("const float* __restrict__").
struct ParameterType {
  std::string element{};  ///< f32, i64, ...; another text for other types
  bool is_pointer = false, is_const = false;

  bool is_float() const { return element.starts_with("f"); }
  bool is_integer() const { return element.starts_with("i") || element.starts_with("u"); }
  int bits() const;
};
ParameterType parameter_type(std::string text);

/// Returns the kernel as in the source: "sum_atomic(const float* inp, float* dest)".
std::string spelled(const simt::build::Kernel& kernel);

/// Returns a message for a template without arguments, a kernel that returns a value, or a wrong number of parameters.
std::optional<TryMessage> unfit_kernel(const LearnerSource& source, const simt::build::Kernel& kernel,
                                       const std::string& name, const lab::Exercise& exercise);

/// Returns the argument of the exercise for each parameter, matched by name if possible and by type otherwise, or
/// nullopt if they do not fit. `types` are the parameter types as the compiler sees them ("const f32*", "i64").
std::optional<ArgumentOrder> argument_order(const simt::build::Kernel& kernel, const lab::Exercise& exercise,
                                            const std::vector<std::string>& types);

/// Returns the message for parameters that do not fit.
TryMessage signature_mismatch(const LearnerSource& source, const simt::build::Kernel& kernel,
                              const lab::Exercise& exercise, const std::vector<std::string>& types);

}  // namespace rafter::trial
