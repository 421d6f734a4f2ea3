// User kernels as a workload of the workbench: each kernel is a rung, compared with the references.
#pragma once

#include <map>
#include <string>

#include "workbench/bench/kernel_case.hpp"
#include "workbench/lab/workload/workload.hpp"

namespace rafter::bench {

/// Kernels that must not run again, with the reason: they crashed or did not end.
using Broken = std::map<std::string, std::string>;

/// Creates the workload, named like the file. `plan` and the libraries must outlive it.
lab::Workload make_workload(const KernelPlan& plan, const std::vector<Variant>& variants, Device device,
                            const Broken& broken, const Guard& guard);

}  // namespace rafter::bench
