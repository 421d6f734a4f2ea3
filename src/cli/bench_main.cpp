#include "cli/bench.hpp"
#include "lab/workload/registry.hpp"

using namespace rafter;

int main(int argc, char** argv) { return cli::tool(argc, argv, cli::bench(lab::built_workloads())); }
