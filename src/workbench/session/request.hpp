// The cases and options of a run as the user typed them. A results file keeps them, so that a run can be resumed.
#pragma once

#include <string>
#include <vector>

namespace rafter::session {

struct RunRequest {
  std::vector<std::string> workloads{};  ///< Empty: all workloads.
  std::string device{};                  ///< Empty: the best device of this machine.
  std::string size{};                    ///< SIZE[,SIZE...] of --size.
  /// NAME=VALUE[,VALUE...] of --set, and --NAME=VALUE[,VALUE...] of options that `run` itself does not have.
  std::vector<std::string> settings{};
  std::vector<std::string> own_options{};  ///< The options that `run` itself has, for suggestions: "--device", ...
  std::vector<std::string> rungs{};        ///< Empty: all rungs.
  std::string regime = "cold";
  bool all_regimes = false;
  bool stages = false;
  bool quick = false;
  bool check = false;  ///< Verify every rung at awkward sizes and time nothing.
  double seconds = 0;  ///< Timing for each rung; 0: chosen by the number of cases.
  std::string seed{};  ///< Empty: a fresh seed.
  int n_threads = 0;   ///< 0: all cores that this process may use.
};

}  // namespace rafter::session
