// A kernel of a cubin, launched through the driver.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "workbench/lab/workload/exercise.hpp"
#include "workbench/trial/plan.hpp"

namespace rafter::trial {

/// A kernel's parameters: their types, and which of the exercise's they are.
struct KernelParameters {
  std::vector<std::string> types;
  ArgumentOrder order;
};

/// Loads the kernel of that name, as the source has it, into the current GPU. It is launched with values in the
/// exercise's order. Throws Error (device_failure, unsupported).
std::shared_ptr<const lab::LearnerKernel> load_kernel(const std::string& cubin, const std::string& name,
                                                      const KernelParameters& parameters, const lab::Extents& block);

}  // namespace rafter::trial
