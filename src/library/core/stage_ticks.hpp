// Counts the stages of a loop over threads, each of which does several; see stages.hpp. One object a thread and turn.
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

  /// The stage with this place in the list that begin_fused() was given; the one before it ends.
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
