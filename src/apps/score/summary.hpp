// Summary of many scores.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace rafter::score {

struct ScoredWindow {
  std::int64_t window = 0;
  float score = 0;
};

/// Summarises scores in the order of their windows. All members except n() refer to finite scores.
class ScoreSummary {
 public:
  static constexpr std::size_t n_highest = 5;

  void add(std::span<const float> scores);

  std::int64_t n() const { return n_; }
  std::int64_t n_finite() const { return n_finite_; }
  float lowest() const { return lowest_; }
  double mean() const { return n_finite_ == 0 ? 0 : total_ / static_cast<double>(n_finite_); }
  /// The highest scores, in descending order; equal ones in the order of their windows.
  const std::vector<ScoredWindow>& highest() const { return highest_; }
  /// The first window whose score is NaN or infinite.
  std::optional<std::int64_t> first_not_finite() const { return first_not_finite_; }

 private:
  void add_finite(ScoredWindow scored);

  std::int64_t n_ = 0, n_finite_ = 0;
  double total_ = 0;
  float lowest_ = 0;
  std::vector<ScoredWindow> highest_;
  std::optional<std::int64_t> first_not_finite_;
};

}  // namespace rafter::score
