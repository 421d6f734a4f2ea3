#include "cli/explain/rung.hpp"
#include "workbench/lab/workload/registry.hpp"

using namespace rafter;

int main(int argc, char** argv) {
  return cli::tool(argc, argv, cli::Performer{[](const cli::ExplainOptions& options) {
                     return cli::explain_rung(options, lab::built_workloads());
                   }});
}
