#include "cli/programs.hpp"
#include "cli/tool.hpp"

using namespace rafter::cli;

int main(int argc, char** argv) {
  return tool(argc, argv, [&](const Command& command) -> int { become(program_of(command), argv); });
}
