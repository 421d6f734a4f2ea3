// rafter run, list, show, device, and tune of ops, over any set of workloads.
#pragma once

#include "cli/tool.hpp"
#include "workbench/session/run.hpp"

namespace rafter::cli {

using session::Sources;
using session::Workloads;

/// Workloads and the sources of their rungs.
struct Catalogue {
  Workloads workloads{};
  Sources sources{};
};

int run(const RunOptions& options, const Catalogue& catalogue, const session::Plotter* plotter = nullptr);
int list(const ListOptions& options, const Workloads& workloads);
int show(const ShowOptions& options, const Catalogue& catalogue);
int device(const DeviceOptions& options);
int tune_ops(const TuneOptions& options, const Workloads& workloads);

/// All five commands.
Perform run_commands(const Catalogue& catalogue);

}  // namespace rafter::cli
