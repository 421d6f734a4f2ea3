// A stranger's kernels as a workload of the workbench: each is a rung, held against the references.
#pragma once

#include <map>
#include <string>

#include "workbench/bench/kernel_case.hpp"
#include "workbench/lab/workload/workload.hpp"

namespace rafter::bench {

/// Kernels that are not to be run again, with the reason: they broke down or did not end.
using Broken = std::map<std::string, std::string>;

/// Called like the file. `plan` and the libraries must outlive it.
lab::Workload make_workload(const Plan& plan, const std::vector<Variant>& variants, Device device, const Broken& broken,
                            const Guard& guard);

}  // namespace rafter::bench
