// Counts the stages of a kernel that does several; see stages.hpp. Thread 0 of each block keeps its time, so a stage
// should begin where the block waits for itself.
//
//   core::StageTicks ticks(counters);   // as begin_fused() gave them
//   ticks.begin(0);
//   ...
//   __syncthreads();
//   ticks.begin(1);
//   ...
//   ticks.end();   // every way out of the kernel passes one
//
// There is no state but the stage's number, a constant in straight code: in production a stage costs a test of the
// kernel's parameter and no register. Where stages repeat, end() at a loop's end keeps the number constant there, too.
#pragma once

#include "library/core/stages.hpp"
#include "library/ptx/device_build.cuh"

namespace rafter::core {
inline namespace RAFTER_BACKEND {

class StageTicks {
 public:
  __device__ explicit StageTicks(StageCounters counters) : counters_(counters) {}

  /// The stage with this place in the list that begin_fused() was given; the one before it ends.
  __device__ void begin(int stage) {
    if (is_timekeeper()) {
      const auto now = static_cast<unsigned long long>(clock64());
      if (stage_ != none) atomicAdd(counters_ + stage_, now);
      if (stage != none) atomicAdd(counters_ + stage, 0ULL - now);  // until now is added again
    }
    stage_ = stage;
  }
  __device__ void end() { begin(none); }

 private:
  static constexpr int none = -1;

  __device__ bool is_timekeeper() const {
    return counters_ != nullptr && threadIdx.x == 0 && threadIdx.y == 0 && threadIdx.z == 0;
  }

  StageCounters counters_;
  int stage_ = none;
};

}  // namespace RAFTER_BACKEND
}  // namespace rafter::core
