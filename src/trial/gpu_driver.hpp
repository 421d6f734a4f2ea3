// A kernel of a cubin, launched through the driver.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "lab/workload/exercise.hpp"

namespace rafter::trial {

/// Loads the kernel of that name, as the source has it, into the current GPU. `types` are its parameters'. Throws Error
/// (device_failure, unsupported).
std::shared_ptr<const lab::LearnerKernel> load_kernel(const std::string& cubin, const std::string& name,
                                                      const std::vector<std::string>& types, const lab::Extents& block);

/// 90 for compute capability 9.0.
int gpu_capability();

}  // namespace rafter::trial
