// Successive halving: all candidates get a few samples and the better half twice as many, until a few finalists are
// left to be measured well.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

namespace rafter::tune {

struct HalvingOptions {
  std::size_t n_finalists = 6;
  int first_samples = 3;     ///< Of each candidate in the first round; doubled in every round.
  double floor_ns = 0;       ///< 0: none.
  double near_floor = 0.97;  ///< The search ends when a candidate reaches this share of the floor.
};

struct HalvingResult {
  std::vector<double> best_ns;         ///< The least time of each candidate.
  std::vector<int> rounds;             ///< The number of rounds of each candidate.
  std::vector<std::size_t> finalists;  ///< By time, the best first.
  bool is_near_floor = false;
};

/// Searches with `time(candidate)`, which measures one sample. The samples of a round alternate between the candidates,
/// so that a slow moment of the machine affects all of them. A candidate leaves when its best time is in the slower
/// half and more than 5 % behind the last of the better half.
HalvingResult halve(std::size_t n_candidates, const HalvingOptions& options,
                    const std::function<double(std::size_t)>& time, const std::function<void(double)>& progress);

}  // namespace rafter::tune
