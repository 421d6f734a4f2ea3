// Successive halving: all candidates get a little time, the better half more, until a few are left that deserve to be
// measured well.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

namespace rafter::tune {

struct HalvingOptions {
  std::size_t n_finalists = 6;
  int first_samples = 3;     ///< of each candidate in the first round; doubled in every round
  double floor_ns = 0;       ///< 0: none
  double near_floor = 0.97;  ///< who reaches so much of it cannot be beaten by much: the search ends
};

struct HalvingResult {
  std::vector<double> best_ns;         ///< by candidate: the least time seen
  std::vector<int> rounds;             ///< by candidate: how many it took part in
  std::vector<std::size_t> finalists;  ///< the best first
  bool is_near_floor = false;
};

/// `time(candidate)` gives one time of it. Candidates take turns within a round, so that a slow moment of the machine
/// is not one's own. A candidate leaves when its best time is not among the better half's, and is more than 5 % behind
/// the last of them.
HalvingResult halve(std::size_t n_candidates, const HalvingOptions& options,
                    const std::function<double(std::size_t)>& time, const std::function<void(double)>& progress);

}  // namespace rafter::tune
