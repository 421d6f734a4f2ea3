// Quantities that change with time, as the stages of a step need them.
#pragma once

#include <array>
#include <span>
#include <utility>
#include <vector>

#include "rafter/conduction.hpp"

namespace rafter::heat_ladder {

/// Samples of a quantity g at the beginning, the middle and the end of a step. Horner's form of RK4 adds to its stages,
/// instead of a constant g: g0, (g0 + gh) / 2, (g0 + 2 gh) / 3 and (g0 + 4 gh + g1) / 6. Then it equals classical RK4,
/// which one sees by expanding both in powers of dt L.
template <class T>
class Samples {
 public:
  Samples(TimeFunction<T> function, std::int64_t n) : function_(std::move(function)) {
    for (Sample& sample : samples_) sample.values.resize(static_cast<std::size_t>(n));
    combined_.resize(static_cast<std::size_t>(n));
  }

  /// Evaluates the function for a step; not at its beginning if that was the end of the previous one.
  void begin_step(double beginning, double middle, double end) {
    if (samples_[2].time == beginning) std::swap(samples_[0], samples_[2]);
    const std::array times{beginning, middle, end};
    for (std::size_t i = 0; i < 3; ++i) {
      if (samples_[i].time == times[i]) continue;
      samples_[i].time = -1;  // unless the function throws
      function_(times[i], samples_[i].values);
      samples_[i].time = times[i];
    }
  }

  /// Returns what stage 0 to 3 adds, valid until the next call.
  std::span<const T> of_stage(int stage) {
    constexpr double weights[4][3] = {{1, 0, 0}, {1. / 2, 1. / 2, 0}, {1. / 3, 2. / 3, 0}, {1. / 6, 2. / 3, 1. / 6}};
    const auto [a, b, c] = weights[stage];
    for (std::size_t i = 0; i < combined_.size(); ++i) {
      const auto at = [i](const Sample& sample) { return static_cast<double>(sample.values[i]); };
      combined_[i] = static_cast<T>(a * at(samples_[0]) + b * at(samples_[1]) + c * at(samples_[2]));
    }
    return combined_;
  }

 private:
  struct Sample {
    double time = -1;  // none
    std::vector<T> values;
  };

  TimeFunction<T> function_;
  std::array<Sample, 3> samples_;
  std::vector<T> combined_;
};

}  // namespace rafter::heat_ladder
