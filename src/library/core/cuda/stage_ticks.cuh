// Measures the stages of a kernel that runs several; see stages.hpp. Thread 0 of each block measures, so a stage should
// begin at a barrier of the block.
//
//   core::StageTicks ticks(counters);   // from begin_fused()
//   ticks.begin(0);
//   ...
//   __syncthreads();
//   ticks.begin(1);
//   ...
//   ticks.end();   // on every path out of the kernel
//
// The only state is the stage's number, a constant in straight-line code: in production a stage costs a test of the
// kernel's parameter and no register. Where stages repeat, end() at a loop's end keeps the number constant there, too.
#pragma once

#include "library/core/stages.hpp"
#include "library/ptx/device_build.cuh"

namespace rafter::core {
inline namespace RAFTER_BACKEND {

class StageTicks {
 public:
  __device__ explicit StageTicks(StageCounters counters) : counters_(counters) {}

  /// Begins the stage at this index in the list passed to begin_fused() and ends the previous stage.
  __device__ void begin(int stage) {
    if (is_timekeeper()) {
      const auto now = static_cast<unsigned long long>(clock64());
      if (stage_ != none) atomicAdd(counters_ + stage_, now);
      if (stage != none) atomicAdd(counters_ + stage, 0ULL - now);  // the end of the stage adds its time back
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
