// What `rafter judge` was asked for.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace rafter::judge {

struct JudgeRequest {
  std::string exercise{};                  ///< A workload, or the kernel of an exercise.
  std::vector<std::string> submissions{};  ///< Files, and folders with files.
  std::string kernel{}, block{};           ///< As in rafter try; empty: the exercise's.
  double time_limit_s = 10;                ///< The longest time of a launch.
  double submission_limit_s = 600;         ///< The longest time of a submission, with its compilation.
  std::optional<std::uint64_t> seed{};     ///< Of the inputs of all submissions; fresh if there is none.
  bool is_untrusted = false;               ///< Each file is built and run in a sandbox.
  int n_jobs = 0;                          ///< Submissions at a time; 0: as many as there are cores, or 1 with a GPU.
  std::string json_path{}, csv_path{}, junit_path{};  ///< Empty: none; "-": standard output.
  std::string continue_path{};                        ///< Results of an earlier call, whose verdicts are kept.
};

}  // namespace rafter::judge
