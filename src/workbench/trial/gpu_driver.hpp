// Launches a kernel of a cubin through the driver API.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "workbench/lab/workload/exercise.hpp"
#include "workbench/trial/plan.hpp"

namespace rafter::trial {

/// A kernel's parameters: their types, and the exercise's parameter that each one is.
struct KernelParameters {
  std::vector<std::string> types;
  ArgumentOrder order;
};

/// Loads the kernel of this name, as in the source, into the current GPU. Values are passed in the exercise's order.
/// Throws Error (device_failure, unsupported).
std::shared_ptr<const lab::LearnerKernel> load_kernel(const std::string& cubin, const std::string& name,
                                                      const KernelParameters& parameters, const lab::Extents& block);

}  // namespace rafter::trial
