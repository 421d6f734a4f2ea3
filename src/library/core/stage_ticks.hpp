// Measures the stages of a parallel loop whose iterations each run several stages; see stages.hpp. One object per
// thread and iteration.
#pragma once

#include <atomic>
#include <chrono>

#include "library/core/stages.hpp"

namespace rafter::core {

class StageTicks {
 public:
  explicit StageTicks(StageCounters counters) : counters_(counters) {}
  ~StageTicks() { begin(none); }
  StageTicks(const StageTicks&) = delete;
  StageTicks& operator=(const StageTicks&) = delete;

  /// Begins the stage at this index in the list passed to begin_fused() and ends the previous stage.
  void begin(int stage) {
    if (counters_ == nullptr) return;
    const unsigned long long now = nanoseconds();
    if (stage_ != none) std::atomic_ref(counters_[stage_]).fetch_add(now - start_, std::memory_order_relaxed);
    stage_ = stage;
    start_ = now;
  }

 private:
  static constexpr int none = -1;

  static unsigned long long nanoseconds() {
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    return static_cast<unsigned long long>(std::chrono::nanoseconds(now).count());
  }

  StageCounters counters_;
  int stage_ = none;
  unsigned long long start_ = 0;
};

}  // namespace rafter::core
