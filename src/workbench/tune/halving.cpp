#include "workbench/tune/halving.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace rafter::tune {

HalvingResult halve(std::size_t n_candidates, const HalvingOptions& options,
                    const std::function<double(std::size_t)>& time, const std::function<void(double)>& progress) {
  constexpr double tie = 1.05;
  HalvingResult result{.best_ns = std::vector<double>(n_candidates, std::numeric_limits<double>::infinity()),
                       .rounds = std::vector<int>(n_candidates, 0),
                       .finalists = std::vector<std::size_t>(n_candidates)};
  std::vector<std::size_t>& left = result.finalists;
  std::iota(left.begin(), left.end(), std::size_t{0});
  const auto is_better = [&](std::size_t a, std::size_t b) { return result.best_ns[a] < result.best_ns[b]; };
  int n_samples = options.first_samples;
  while (!left.empty()) {
    for (int sample = 0; sample < n_samples; ++sample) {
      for (const std::size_t candidate : left) {
        result.best_ns[candidate] = std::min(result.best_ns[candidate], time(candidate));
        progress(1 - static_cast<double>(left.size()) / static_cast<double>(n_candidates));
      }
    }
    for (const std::size_t candidate : left) ++result.rounds[candidate];
    std::stable_sort(left.begin(), left.end(), is_better);
    result.is_near_floor =
        options.floor_ns > 0 && options.floor_ns >= options.near_floor * result.best_ns[left.front()];
    if (left.size() <= options.n_finalists) break;
    const std::size_t half = std::max(options.n_finalists, (left.size() + 1) / 2);
    const double limit = tie * result.best_ns[left[half - 1]];
    std::size_t n_kept = half;
    while (n_kept < left.size() && result.best_ns[left[n_kept]] <= limit) ++n_kept;
    if (n_kept == left.size()) n_kept = half;  // all are alike: the order has to decide
    left.resize(result.is_near_floor ? options.n_finalists : n_kept);
    if (result.is_near_floor) break;
    n_samples *= 2;
  }
  return result;
}

}  // namespace rafter::tune
