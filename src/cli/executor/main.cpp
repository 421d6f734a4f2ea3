#include "cli/executor/executor.hpp"

using namespace rafter::cli;

int main(int argc, char** argv) {
  return tool(argc, argv,
              Performer{
                  [](const ExecutorOptions& options) { return executor(options); },
                  [](const NvccOptions& options) { return nvcc(options); },
              });
}
