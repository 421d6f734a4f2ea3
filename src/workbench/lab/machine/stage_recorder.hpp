// Times the stages of a call, which its rung announces. There is one implementation per device.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "library/core/stages.hpp"
#include "rafter/buffer.hpp"

namespace rafter::lab {

struct StageTime {
  std::string name;
  double ns = 0;

  bool operator==(const StageTime&) const = default;
};

class StageRecorder : public core::StageClock {
 public:
  explicit StageRecorder(const Stream& stream);

  /// Brackets one call on the stream. start() discards everything recorded before.
  void start();
  void stop();

  void begin(const char* stage) final;
  core::StageCounters begin_fused(std::initializer_list<const char*> stages) final;

  /// Waits for the call and returns its stages in the order in which they first began, each once; empty if it has none.
  /// Throws Error (device_failure) if a worker began a stage and did not end it.
  std::vector<StageTime> times() const;

 private:
  /// The interval between two marks: one stage, or several stages of one fused kernel.
  struct Stretch {
    std::vector<std::string> stages;
    std::int64_t first_counter = 0;
  };
  std::vector<double> shares(const Stretch& stretch, const std::vector<unsigned long long>& counters) const;

  /// Records this point of the stream as number `mark`.
  virtual void mark(std::size_t mark) = 0;
  /// Returns the time from this mark to the next one; the stream must have passed both.
  virtual double ns_after(std::size_t mark) const = 0;

  Stream stream_;
  std::vector<Stretch> stretches_;
  Buffer<unsigned long long> counters_;
  std::int64_t n_counters_ = 0;  // assigned to the intervals of the call
};

std::unique_ptr<StageRecorder> make_stage_recorder(const Stream& stream);
#ifdef RAFTER_WITH_CUDA
std::unique_ptr<StageRecorder> make_cuda_stage_recorder(const Stream& stream);
#endif

}  // namespace rafter::lab
