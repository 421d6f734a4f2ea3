// From the user's words to cases of a workload.
#pragma once

#include <string>
#include <vector>

#include "lab/workload/workload.hpp"

namespace rafter::cli {

/// The cases for `--size` and `--set`, or the workload's standard ones when neither is given.
/// Throws Error (bad_argument) that says what the workload takes.
std::vector<lab::Params> cases_of(const lab::Workload& workload, Device device, lab::Effort effort,
                                  const std::string& size, const std::vector<std::string>& settings);

}  // namespace rafter::cli
