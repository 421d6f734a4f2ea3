#include "cli/plot/plot.hpp"
#include "lab/workload/registry.hpp"

using namespace rafter;

int main(int argc, char** argv) { return cli::tool(argc, argv, cli::plots(lab::built_workloads())); }
