#include "cli/explain/explain.hpp"

using namespace rafter::cli;

int main(int argc, char** argv) {
  return tool(argc, argv, Performer{[](const ExplainOptions& options) { return explain(options); }});
}
