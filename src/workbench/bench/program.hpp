// A whole program of anybody's: what each of its kernels took, by name.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "workbench/lab/measure/statistics.hpp"

namespace rafter::bench {

/// All launches of one kernel.
struct LaunchTimes {
  std::string kernel;  ///< as people write it: "scale<float>"
  std::vector<double> ns{};

  double total_ns() const;
};

struct CopyTimes {
  std::string kind;  ///< "host to device"
  int n = 0;
  double bytes = 0, ns = 0;
};

/// Of one run, or of several put together.
struct ProgramTimes {
  std::vector<LaunchTimes> kernels{};  ///< those that took most first
  std::vector<CopyTimes> copies{};
  std::vector<std::string> captured{};  ///< kernels whose launches went into graphs, and were not timed
  double wall_ns = 0;                   ///< from the first call of the runtime to the end
  int n_runs = 1;

  double kernels_ns() const;
  double copies_ns() const;
};

/// What a program that was built with the recorder left.
ProgramTimes parse_times(const std::string& text);

/// The times of another run of the same program beside these.
void add_run(ProgramTimes& times, const ProgramTimes& more);

/// A table, and what follows: which kernel to begin with, and what the whole can gain.
std::string times_table(const std::string& program, const ProgramTimes& times);
nlohmann::json to_json(const ProgramTimes& times);

/// Builds a program for the GPU with everything timed; `build` as nvcc takes it. Throws Error (bad_argument) with the
/// compiler's words, or (unsupported).
std::filesystem::path build_timed_program(const std::vector<std::string>& build, const std::filesystem::path& scratch);

}  // namespace rafter::bench
