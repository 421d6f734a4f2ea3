// rafter nvcc: the stand-in that a wrapper folder's bin/nvcc calls.
#include "executor/build/nvcc.hpp"

#include "cli/executor/executor.hpp"
#include "executor/build/toolchain.hpp"

namespace rafter::cli {

int nvcc(const NvccOptions& options) {
  std::span<const std::string> arguments = options.arguments;
  auto mode = simt::build::Mode::plain;
  if (!arguments.empty() && arguments.front().starts_with("--mode=")) {
    if (arguments.front() == "--mode=checked") mode = simt::build::Mode::checked;
    arguments = arguments.subspan(1);
  }
  return simt::build::nvcc(arguments, simt::build::toolchain(), mode);
}

}  // namespace rafter::cli
