#include "cli/run/commands.hpp"

namespace rafter::cli {

Perform run_commands(const Workloads& workloads) {
  return Performer{
      [workloads](const RunOptions& options) { return run(options, workloads); },
      [workloads](const ListOptions& options) { return list(options, workloads); },
      [workloads](const ShowOptions& options) { return show(options, workloads); },
      [](const DeviceOptions& options) { return device(options); },
      [workloads](const TuneOptions& options) { return tune(options, workloads); },
  };
}

}  // namespace rafter::cli
