#include "apps/score/summary.hpp"

#include <algorithm>
#include <cmath>

namespace rafter::score {

void ScoreSummary::add(std::span<const float> scores) {
  for (const float score : scores) {
    const std::int64_t window = n_++;
    if (std::isfinite(score)) {
      add_finite({window, score});
    } else if (!first_not_finite_) {
      first_not_finite_ = window;
    }
  }
}

void ScoreSummary::add_finite(ScoredWindow scored) {
  lowest_ = n_finite_ == 0 ? scored.score : std::min(lowest_, scored.score);
  total_ += static_cast<double>(scored.score);
  ++n_finite_;
  if (highest_.size() == n_highest && !(scored.score > highest_.back().score)) return;
  const auto behind = std::find_if(highest_.begin(), highest_.end(),
                                   [&](const ScoredWindow& other) { return scored.score > other.score; });
  highest_.insert(behind, scored);
  if (highest_.size() > n_highest) highest_.pop_back();
}

}  // namespace rafter::score
