#include "cli/bench/bench.hpp"
#include "cli/bench/tune.hpp"

using namespace rafter::cli;

int main(int argc, char** argv) {
  return tool(argc, argv,
              Performer{
                  [](const BenchOptions& options) { return bench(options); },
                  [](const TuneOptions& options) { return tune(options); },
              });
}
