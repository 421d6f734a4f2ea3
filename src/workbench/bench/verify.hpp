// Verification of kernels in child processes that may crash, hang or lose their GPU.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "workbench/bench/job.hpp"
#include "workbench/lab/measure/report.hpp"

namespace rafter::bench {

struct KernelVerdict : lab::RungStatus {
  bool is_repeatable = true;  ///< Two launches give the same bits.
  std::string warning{};      ///< A weakness of the task, which is the same for all kernels.
};

/// Verifies, in a child process, the variants of the job one after the other and writes each verdict to the results
/// file at once. Stops after a variant that lost the device.
void verify_here(const Job& job, const std::vector<Variant>& variants, const Stream& stream);

/// Starts the child process of a job. Returns whether it was stopped because a launch exceeded the time limit.
using StartChild = std::function<bool(const Job& job)>;

/// Returns the verdicts of the job's variants. After a child that crashed or was stopped, another one verifies the
/// remaining variants. Throws Error: bad_argument if a reference itself fails, or the error that a child reported.
std::map<std::string, KernelVerdict> verify_apart(const Job& job, const StartChild& start);

}  // namespace rafter::bench
