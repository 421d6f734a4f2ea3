// rafter-run: run, list, show, device, and tune of ops.
#include "cli/run/commands.hpp"

int main(int argc, char** argv) {
  using namespace rafter;
  return cli::tool(argc, argv, cli::run_commands({lab::built_workloads(), lab::embedded_sources()}));
}
