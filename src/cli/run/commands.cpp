#include "cli/run/commands.hpp"

namespace rafter::cli {

Perform run_commands(const Workloads& workloads, const Sources& sources) {
  return Performer{
      [workloads, sources](const RunOptions& options) { return run(options, workloads, sources); },
      [workloads](const ListOptions& options) { return list(options, workloads); },
      [workloads, sources](const ShowOptions& options) { return show(options, workloads, sources); },
      [](const DeviceOptions& options) { return device(options); },
      [workloads](const TuneOptions& options) { return tune(options, workloads); },
  };
}

}  // namespace rafter::cli
