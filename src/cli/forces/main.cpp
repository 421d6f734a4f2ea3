#include "cli/forces/forces.hpp"

using namespace rafter::cli;

int main(int argc, char** argv) {
  return tool(argc, argv, Performer{[](const ForcesOptions& options) { return forces(options); }});
}
