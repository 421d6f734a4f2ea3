// Reports the stages of a multi-stage op to a clock.
//
// A rung whose Args have a member `core::Stages stages{}` marks where each of its stages begins on its stream:
//
//   args.stages.begin("message");
//   core::launch(...);
//   args.stages.begin("update");
//   core::launch(...);
//
// The first stage begins before anything is enqueued. Each ends where the next begins, the last with the call. Stages
// with the same name, such as those of layers, are added up. Where one kernel or parallel loop runs several stages, its
// threads count the time of each, and the total time is divided in that proportion (library/core/cuda/stage_ticks.cuh,
// library/core/stage_ticks.hpp):
//
//   core::launch(kernel, ..., args.stages.begin_fused({"radial", "message"}));
//
// In production there is no clock, and each stage costs the test of a null pointer.
#pragma once

#include <initializer_list>

namespace rafter::core {

/// Counters for the stages that a kernel or loop runs together, in the stream's memory; null without a clock.
using StageCounters = unsigned long long*;

/// Measures stages; the workbench implements it for each device.
class StageClock {
 public:
  virtual ~StageClock() = default;
  virtual void begin(const char* stage) = 0;
  /// Returns one counter per stage, initialised to zero.
  virtual StageCounters begin_fused(std::initializer_list<const char*> stages) = 0;
};

/// The stages member of a rung's arguments. Names are string literals.
class Stages {
 public:
  constexpr Stages() = default;
  constexpr explicit Stages(StageClock& clock) : clock_(&clock) {}

  void begin(const char* stage) const {
    if (clock_ != nullptr) clock_->begin(stage);
  }
  StageCounters begin_fused(std::initializer_list<const char*> stages) const {
    return clock_ != nullptr ? clock_->begin_fused(stages) : nullptr;
  }

 private:
  StageClock* clock_ = nullptr;
};

}  // namespace rafter::core
