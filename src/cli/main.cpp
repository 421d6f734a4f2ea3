#include "cli/subcommands.hpp"
#include "lab/workload/registry.hpp"

int main(int argc, char** argv) { return rafter::cli::tool(argc, argv, rafter::lab::built_workloads()); }
