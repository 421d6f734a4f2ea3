#include "cli/load/loaded.hpp"
#include "cli/plot/plot.hpp"
#include "workbench/lab/workload/registry.hpp"

using namespace rafter;

namespace {

cli::Catalogue catalogue(const cli::RunOptions& options) {
  if (options.load.empty()) return {lab::built_workloads(), lab::embedded_sources()};
  const family::Loaded all = cli::loaded(options);
  return {all.workloads, all.sources};
}

}  // namespace

int main(int argc, char** argv) { return cli::tool(argc, argv, cli::plots(catalogue)); }
