// rafter-explain-rung: explain of the built-in workloads.
#include "cli/explain_rung.hpp"

int main(int argc, char** argv) {
  using namespace rafter;
  return cli::tool(argc, argv, cli::Performer{[](const cli::ExplainOptions& options) {
                     return cli::explain_rung(options, lab::built_workloads());
                   }});
}
