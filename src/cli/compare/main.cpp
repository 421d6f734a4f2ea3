#include "cli/compare/compare.hpp"

using namespace rafter::cli;

int main(int argc, char** argv) {
  return tool(argc, argv, Performer{[](const CompareOptions& options) { return compare(options); }});
}
