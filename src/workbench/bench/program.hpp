// `rafter bench PROGRAM.cu`: the launches of a whole program by kernel.
#pragma once

#include <string>
#include <vector>

#include "rafter/device.hpp"
#include "workbench/journal/record.hpp"

namespace rafter::bench {

struct ProgramBenchPlan {
  std::vector<std::string> build{};      ///< Files and compiler options as nvcc takes them.
  std::vector<std::string> arguments{};  ///< Of the program.
  Device device = Device::simt;
  double time_limit_s = 10;  ///< The longest time of a launch on the executor.
  bool quick = false;        ///< Run the program once.
  std::string json_path{};   ///< Empty: none; "-": standard output.
  journal::Event event{};
};

/// Times the launches on a GPU, or checks and counts them on the executor. Returns the exit code.
int bench_program(const ProgramBenchPlan& plan);

}  // namespace rafter::bench
