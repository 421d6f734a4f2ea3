// rafter run, list, show and device: the workbench over any set of workloads.
#pragma once

#include <vector>

#include "cli/tool.hpp"
#include "lab/workload/workload.hpp"

namespace rafter::cli {

using Workloads = std::vector<const lab::Workload*>;

int run(const RunOptions& options, const Workloads& workloads);
int list(const ListOptions& options, const Workloads& workloads);
int show(const ShowOptions& options, const Workloads& workloads);
int device(const DeviceOptions& options);

/// All four.
Perform bench(const Workloads& workloads);

}  // namespace rafter::cli
