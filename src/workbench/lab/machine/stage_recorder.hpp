// Times the stages of a call, as its rung announces them; one for each device.
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

  /// Around one call, on the stream: all that was recorded before is forgotten.
  void start();
  void stop();

  void begin(const char* stage) final;
  core::StageCounters begin_fused(std::initializer_list<const char*> stages) final;

  /// Waits for the call. Its stages in the order in which they first began, each once; nothing when it had none. Throws
  /// Error (device_failure) where a worker began a stage that it did not end.
  std::vector<StageTime> times() const;

 private:
  /// From one mark to the next: one stage, or several that were done together.
  struct Stretch {
    std::vector<std::string> stages;
    std::int64_t first_counter = 0;
  };
  std::vector<double> shares(const Stretch& stretch, const std::vector<unsigned long long>& counters) const;

  /// Remembers this point of the stream as number `mark`.
  virtual void mark(std::size_t mark) = 0;
  /// From one mark to the next, when the stream has passed both.
  virtual double ns_after(std::size_t mark) const = 0;

  Stream stream_;
  std::vector<Stretch> stretches_;
  Buffer<unsigned long long> counters_;
  std::int64_t n_counters_ = 0;  // given to the call's stretches
};

std::unique_ptr<StageRecorder> make_stage_recorder(const Stream& stream);
#ifdef RAFTER_WITH_CUDA
std::unique_ptr<StageRecorder> make_cuda_stage_recorder(const Stream& stream);
#endif

}  // namespace rafter::lab
