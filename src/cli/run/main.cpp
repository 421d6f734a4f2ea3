#include "cli/run/commands.hpp"
#include "workbench/lab/workload/registry.hpp"

using namespace rafter;

int main(int argc, char** argv) {
  return cli::tool(argc, argv, cli::run_commands(lab::built_workloads(), lab::embedded_sources()));
}
