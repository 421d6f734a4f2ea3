// User kernels as a workload of the workbench: each kernel is a rung, compared with the references.
#pragma once

#include <map>
#include <string>

#include "workbench/bench/kernel_case.hpp"
#include "workbench/lab/workload/workload.hpp"

namespace rafter::bench {

/// Kernels that do not run again: another process found them wrong, they crashed or they did not end.
using Rejected = std::map<std::string, lab::RungStatus>;

/// The bytes of all arrays of a case; the answers are in host memory.
double array_bytes(const KernelPlan& plan, const lab::Params& params);

/// Creates the workload, named like the file. `plan` and the libraries must outlive it.
lab::Workload make_workload(const KernelPlan& plan, const std::vector<Variant>& variants, Device device,
                            const Rejected& rejected, const Guard& guard);

}  // namespace rafter::bench
