// What the user asked for: one struct per subcommand.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace rafter::cli {

struct RunOptions {
  std::vector<std::string> workloads{};  ///< empty: the main job, all of them
  std::string device{};                  ///< empty: the best one present
  std::string size{};
  std::vector<std::string> settings{};  ///< NAME=VALUE
  std::vector<std::string> rungs{};
  std::string json_path{};  ///< empty: a file of its own in the results folder; "-": standard output
  std::string regime = "cold";
  bool all_regimes = false;
  bool quick = false;
  std::string seed{};  ///< empty: a fresh one
  int n_threads = 0;
};

struct ListOptions {
  std::string workload{};
  bool json = false;
};

struct DeviceOptions {
  bool remeasure = false;
  bool json = false;
  int n_threads = 0;
};

struct ShowOptions {
  std::string workload{};
  std::string rung{};
  std::string device{};
  bool json = false;
};

/// Nothing to do but end with this code: help was shown, or the command line was refused.
struct Finished {
  int exit_code = 0;
};

using Command = std::variant<Finished, RunOptions, ListOptions, DeviceOptions, ShowOptions>;

/// Reads the command line; prints help or a complaint itself.
Command parse(int argc, char** argv);

}  // namespace rafter::cli
