#include "cli/trial/trial.hpp"
#include "executor/device/simt_device.hpp"
#include "workbench/lab/workload/registry.hpp"

using namespace rafter;

int main(int argc, char** argv) {
  simt::provide_device();
  const cli::Workloads workloads = lab::built_workloads();
  return cli::tool(
      argc, argv,
      cli::Performer{
          [&](const cli::RunOptions& options) { return cli::run(options, workloads, lab::embedded_sources()); },
          [&](const cli::TryOptions& options) { return cli::try_kernel(options, workloads); },
          [&](const cli::TryChildOptions& options) { return cli::try_child(options, workloads); },
      });
}
