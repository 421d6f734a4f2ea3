#include "cli/solve/solve.hpp"

using namespace rafter::cli;

int main(int argc, char** argv) {
  return tool(argc, argv, Performer{[](const SolveHeatOptions& options) { return solve_heat(options); }});
}
