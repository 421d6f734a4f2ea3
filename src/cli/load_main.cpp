// rafter-load: run, list, show, explain and tune with --load, also on the executor.
#include "cli/explain_rung.hpp"
#include "cli/load.hpp"
#include "executor/device/simt_device.hpp"

namespace {

using namespace rafter;

int run_loaded(const cli::RunOptions& options) {
  const cli::Catalogue catalogue = cli::load(options);
  if (options.request.device == "simt") simt::provide_device();  // after loading: it lists the loaded modules
  return cli::run(options, catalogue);
}

int show_loaded(const cli::ShowOptions& options) {
  const family::Loaded all = cli::load(options.load);
  return cli::show(options, {all.workloads, all.sources});
}

}  // namespace

int main(int argc, char** argv) {
  return cli::tool(
      argc, argv,
      cli::Performer{
          [](const cli::RunOptions& options) { return run_loaded(options); },
          [](const cli::ListOptions& options) { return cli::list(options, cli::load(options.load).workloads); },
          [](const cli::ShowOptions& options) { return show_loaded(options); },
          [](const cli::ExplainOptions& options) {
            return cli::explain_rung(options, cli::load(options.load).workloads);
          },
          [](const cli::TuneOptions& options) { return cli::tune_ops(options, cli::load(options.load).workloads); },
      });
}
