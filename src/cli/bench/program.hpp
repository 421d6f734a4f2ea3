// rafter bench PROGRAM.cu: a whole program, its launches by name.
#pragma once

#include "cli/tool.hpp"
#include "rafter/device.hpp"

namespace rafter::cli {

int bench_program(const BenchOptions& options, Device device);

}  // namespace rafter::cli
