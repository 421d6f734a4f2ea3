#include "workbench/lab/machine/stage_recorder.hpp"

#include <algorithm>
#include <chrono>

#include "library/core/stream/backend.hpp"
#include "rafter/error.hpp"

namespace rafter::lab {

namespace {

constexpr std::int64_t most_counters = 1024;
constexpr std::int64_t counter_bytes = sizeof(unsigned long long);

/// Uses the host's clock, for devices that complete their work before a call returns.
class HostStageRecorder final : public StageRecorder {
 public:
  using StageRecorder::StageRecorder;

 private:
  using Clock = std::chrono::steady_clock;

  void mark(std::size_t mark) override {
    marks_.resize(mark + 1);
    marks_[mark] = Clock::now();
  }
  double ns_after(std::size_t mark) const override {
    return std::chrono::duration<double, std::nano>(marks_[mark + 1] - marks_[mark]).count();
  }

  std::vector<Clock::time_point> marks_;
};

void add_to(std::vector<StageTime>& times, const std::string& stage, double ns) {
  const auto known =
      std::find_if(times.begin(), times.end(), [&](const StageTime& time) { return time.name == stage; });
  known != times.end() ? void(known->ns += ns) : times.push_back({stage, ns});
}

}  // namespace

StageRecorder::StageRecorder(const Stream& stream) : stream_(stream), counters_(stream, most_counters) {}

void StageRecorder::start() {
  // Enqueues without waiting, so that a kernel that delays the stream still hides the launch overhead of the host.
  core::backend(stream_.device()).fill_bytes(stream_.handle(), counters_.data(), 0, most_counters * counter_bytes);
  n_counters_ = 0;
  stretches_.clear();
}

void StageRecorder::stop() { mark(stretches_.size()); }

void StageRecorder::begin(const char* stage) {
  mark(stretches_.size());
  stretches_.push_back({{stage}});
}

core::StageCounters StageRecorder::begin_fused(std::initializer_list<const char*> stages) {
  const auto n = static_cast<std::int64_t>(stages.size());
  if (n_counters_ + n > most_counters) {
    throw Error(ErrorCode::unsupported, "a call has more than " + std::to_string(most_counters) +
                                            " counters for the stages within its kernels");
  }
  mark(stretches_.size());
  stretches_.push_back({{stages.begin(), stages.end()}, n_counters_});
  n_counters_ += n;
  return counters_.data() + n_counters_ - n;
}

std::vector<double> StageRecorder::shares(const Stretch& stretch,
                                          const std::vector<unsigned long long>& counters) const {
  const std::size_t n = stretch.stages.size();
  std::vector<double> shares(n, 1. / static_cast<double>(n));
  if (n == 1) return shares;
  const auto* first = counters.data() + stretch.first_counter;
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i) {
    if (static_cast<long long>(first[i]) < 0)
      throw Error(ErrorCode::device_failure, "the stage '" + stretch.stages[i] + "' was begun but not ended");
    sum += static_cast<double>(first[i]);
  }
  for (std::size_t i = 0; i < n && sum > 0; ++i) shares[i] = static_cast<double>(first[i]) / sum;
  return shares;
}

std::vector<StageTime> StageRecorder::times() const {
  stream_.synchronize();
  std::vector<unsigned long long> counters(static_cast<std::size_t>(most_counters));
  counters_.copy_to(counters);
  std::vector<StageTime> times;
  for (std::size_t i = 0; i < stretches_.size(); ++i) {
    const std::vector<double> parts = shares(stretches_[i], counters);
    for (std::size_t k = 0; k < parts.size(); ++k) add_to(times, stretches_[i].stages[k], ns_after(i) * parts[k]);
  }
  return times;
}

std::unique_ptr<StageRecorder> make_stage_recorder(const Stream& stream) {
#ifdef RAFTER_WITH_CUDA
  if (stream.device() == Device::cuda) return make_cuda_stage_recorder(stream);
#endif
  return std::make_unique<HostStageRecorder>(stream);
}

}  // namespace rafter::lab
