#include "cli/explain/rung.hpp"
#include "cli/load/loaded.hpp"
#include "cli/run/commands.hpp"
#include "executor/device/simt_device.hpp"

using namespace rafter;

namespace {

int run_loaded(const cli::RunOptions& options) {
  const family::Loaded all = cli::loaded(options);
  if (options.device == "simt") simt::provide_device();  // which looks at the modules that are there
  return cli::run(options, all.workloads, all.sources);
}

int show_loaded(const cli::ShowOptions& options) {
  const family::Loaded all = cli::loaded(options.load);
  return cli::show(options, all.workloads, all.sources);
}

}  // namespace

int main(int argc, char** argv) {
  return cli::tool(
      argc, argv,
      cli::Performer{
          [](const cli::RunOptions& options) { return run_loaded(options); },
          [](const cli::ListOptions& options) { return cli::list(options, cli::loaded(options.load).workloads); },
          [](const cli::ShowOptions& options) { return show_loaded(options); },
          [](const cli::ExplainOptions& options) {
            return cli::explain_rung(options, cli::loaded(options.load).workloads);
          },
          [](const cli::TuneOptions& options) { return cli::tune(options, cli::loaded(options.load).workloads); },
      });
}
