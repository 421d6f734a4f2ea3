// The times of a whole program by kernel, and a build that records them.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "workbench/lab/measure/statistics.hpp"

namespace rafter::bench {

/// The times of all launches of one kernel.
struct LaunchTimes {
  std::string kernel;  ///< "scale<float>".
  std::vector<double> ns{};

  double total_ns() const;
};

struct CopyTimes {
  std::string kind;  ///< "host to device".
  int n = 0;
  double bytes = 0, ns = 0;
};

/// The times of one run, or of several runs together.
struct ProgramTimes {
  std::vector<LaunchTimes> kernels{};  ///< By total time, the largest first.
  std::vector<CopyTimes> copies{};
  std::vector<std::string> captured{};  ///< Kernels launched by graphs, which are not timed.
  double wall_ns = 0;                   ///< From the first runtime call to the end.
  int n_runs = 1;

  double kernels_ns() const;
  double copies_ns() const;
};

/// Parses the file that a program built with the recorder leaves.
ProgramTimes parse_times(const std::string& text);

/// Adds the times of another run of the same program.
void add_run(ProgramTimes& times, const ProgramTimes& more);

/// A table of the times, with advice on the kernel to optimise first.
std::string times_table(const std::string& program, const ProgramTimes& times);
nlohmann::json to_json(const ProgramTimes& times);

/// Builds a program for the GPU that records its times. `build` has files and options for nvcc. Throws Error:
/// bad_argument with the compiler's message, unsupported without nvcc.
std::filesystem::path build_timed_program(const std::vector<std::string>& build, const std::filesystem::path& scratch);

}  // namespace rafter::bench
