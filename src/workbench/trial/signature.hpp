// A kernel's parameters against the exercise's: which is which, in whatever order they stand, and what does not fit.
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
  std::string element{};  ///< f32, i64, ...; something else for what is no number
  bool is_pointer = false, is_const = false;

  bool is_float() const { return element.starts_with("f"); }
  bool is_integer() const { return element.starts_with("i") || element.starts_with("u"); }
  int bits() const;
};
ParameterType parameter_type(std::string text);

/// "sum_atomic(const float* inp, float* dest)", as the source has it.
std::string spelled(const simt::build::Kernel& kernel);

/// A template that was not said of what, a kernel that returns something, or another number of parameters.
std::optional<TryMessage> unfit_kernel(const LearnerSource& source, const simt::build::Kernel& kernel,
                                       const std::string& name, const lab::Exercise& exercise);

/// Which of the exercise's arguments each parameter gets, by name where it has the exercise's and by type elsewhere;
/// nothing where they do not fit. `types` are theirs as the compiler sees them ("const f32*", "i64").
std::optional<ArgumentOrder> argument_order(const simt::build::Kernel& kernel, const lab::Exercise& exercise,
                                            const std::vector<std::string>& types);

/// What to say then.
TryMessage signature_mismatch(const LearnerSource& source, const simt::build::Kernel& kernel,
                              const lab::Exercise& exercise, const std::vector<std::string>& types);

}  // namespace rafter::trial
