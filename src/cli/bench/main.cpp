#include "cli/bench/bench.hpp"

using namespace rafter::cli;

int main(int argc, char** argv) {
  return tool(argc, argv, Performer{[](const BenchOptions& options) { return bench(options); }});
}
