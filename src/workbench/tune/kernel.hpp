// `rafter tune` of a user kernel: the best combination of its macros.
#pragma once

#include "workbench/bench/job.hpp"
#include "workbench/tune/space.hpp"
#include "workbench/tune/t4.hpp"

namespace rafter::tune {

enum class Strategy {
  halving,  ///< All combinations, or a random sample of them, by successive halving.
  local,    ///< Greedy descents among neighbours.
};

struct KernelTuningPlan {
  bench::BenchPlan bench{};  ///< Has one kernel.
  Space space{};
  std::size_t most_points = 1000;  ///< A larger space is sampled.
  int n_finalists = 6;
  Strategy strategy = Strategy::halving;
  Objective objective = Objective::time;
  std::string cache_path{}, t4_path{};  ///< Empty: none.
};

/// Compiles, verifies and times the combinations. Returns the exit code.
int tune_kernel(const KernelTuningPlan& plan);

/// Performs the job of a child process of tune_kernel() and returns the exit code.
int tune_child(const bench::Job& job);

/// Adds the first line of `said` to the journal. The entry is about the winner, not about the kernel.
void write_journal(journal::Event event, const std::string& said, const std::string& verdict,
                   const std::string& winner = "", const std::string& results = "");

}  // namespace rafter::tune
