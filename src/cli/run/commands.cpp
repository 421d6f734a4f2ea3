#include "cli/run/commands.hpp"

#include "lab/workload/registry.hpp"

namespace rafter::cli {

Perform run_commands(const Workloads& workloads) {
  return Performer{
      [workloads](const RunOptions& options) { return run(options, workloads, nullptr, lab::source_of); },
      [workloads](const ListOptions& options) { return list(options, workloads); },
      [workloads](const ShowOptions& options) { return show(options, workloads); },
      [](const DeviceOptions& options) { return device(options); },
      [workloads](const TuneOptions& options) { return tune(options, workloads); },
  };
}

}  // namespace rafter::cli
