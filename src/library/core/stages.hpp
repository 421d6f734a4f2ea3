// The stages of an op that does several things one after the other, told to whoever times them.
//
// A rung whose Args have a member `core::Stages stages{}` says where each of its stages begins on its stream:
//
//   args.stages.begin("message");
//   core::launch(...);
//   args.stages.begin("update");
//   core::launch(...);
//
// The first begins before anything is enqueued; each ends where the next begins, the last with the call. Stages of one
// name, as those of layers, are added up. Where one kernel or one loop over threads does several stages, its workers
// count what each took, and the time of all of it is divided in that proportion (library/core/cuda/stage_ticks.cuh,
// library/core/stage_ticks.hpp):
//
//   core::launch(kernel, ..., args.stages.begin_fused({"radial", "message"}));
//
// In production nobody listens: a test of a null pointer for each stage.
#pragma once

#include <initializer_list>

namespace rafter::core {

/// Counters for the stages that a kernel or a loop does together, in the stream's memory; null where nobody listens.
using StageCounters = unsigned long long*;

/// Who times stages; the workbench has one for each device.
class StageClock {
 public:
  virtual ~StageClock() = default;
  virtual void begin(const char* stage) = 0;
  /// A counter for each of them, all zero.
  virtual StageCounters begin_fused(std::initializer_list<const char*> stages) = 0;
};

/// What a rung's arguments carry. Names are string literals.
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
