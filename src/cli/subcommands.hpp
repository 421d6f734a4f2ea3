// The subcommands; each returns the tool's exit code and throws rafter::Error for bad input.
#pragma once

#include <vector>

#include "cli/options.hpp"
#include "lab/workload/workload.hpp"

namespace rafter::cli {

using Workloads = std::vector<const lab::Workload*>;

inline constexpr int exit_good = 0;
inline constexpr int exit_no = 1;         ///< the answer is no: a wrong result, something slower
inline constexpr int exit_failed = 2;     ///< it could not run: bad input, a missing device
inline constexpr int exit_stopped = 130;  ///< a signal ended it, and it can go on where it was

int run(const RunOptions& options, const Workloads& workloads);
int list(const ListOptions& options, const Workloads& workloads);
int device(const DeviceOptions& options);
int show(const ShowOptions& options, const Workloads& workloads);
int executor(const ExecutorOptions& options);
int try_kernel(const TryOptions& options, const Workloads& workloads);
int try_child(const TryChildOptions& options, const Workloads& workloads);
int solve_heat(const SolveHeatOptions& options);
int nvcc(const NvccOptions& options);

/// The whole tool, over any set of workloads.
int tool(int argc, char** argv, const Workloads& workloads);

}  // namespace rafter::cli
