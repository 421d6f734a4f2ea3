#include "workbench/lab/machine/timer.hpp"

#include <array>
#include <atomic>
#include <chrono>

#include "library/core/parts.hpp"
#include "rafter/buffer.hpp"
#include "rafter/error.hpp"
#include "workbench/lab/machine/machine.hpp"
#include "workbench/lab/machine/roof_loops.hpp"

namespace rafter::lab {

std::string_view name(Regime regime) noexcept {
  constexpr std::array<std::string_view, 4> names{"cold", "warm", "graph", "wall"};
  return names[static_cast<std::size_t>(regime)];
}

std::unique_ptr<Timer> make_timer(const Stream& stream, double bytes_per_set, [[maybe_unused]] KeepsLines keeps) {
  if (stream.device() == Device::cpu) return make_cpu_timer(stream, bytes_per_set);
#ifdef RAFTER_WITH_CUDA
  if (stream.device() == Device::cuda) return make_cuda_timer(stream, keeps);
#endif
  throw Error(ErrorCode::unsupported, "device " + std::string(name(stream.device())) + " is not timed");
}

namespace {

class CpuTimer final : public Timer {
 public:
  CpuTimer(const Stream& stream, double bytes_per_set)
      : n_threads_(stream.n_threads()), sweep_(stream, cold_sweep_bytes(bytes_per_set) / 8) {}

  bool supports(Regime regime) const override { return regime != Regime::graph; }

 private:
  double measure(Regime regime, const std::function<void()>& call, const std::function<void()>& prepare) override {
    if (regime == Regime::warm) call();
    prepare();
    if (regime == Regime::cold) flush();
    const auto start = std::chrono::steady_clock::now();
    call();
    return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start).count();
  }

  // Writes and then reads, so that the timed call does not wait for dirty lines to be written back.
  void flush() {
    const std::int64_t n = sweep_.size();
    if (n == 0) return;
    ++round_;
    core::for_parts(n_threads_, n, [&](std::int64_t first, std::int64_t last) {
      roof_loops().write(sweep_.data() + first, last - first, round_);
    });
    std::atomic<std::uint64_t> seen = 0;
    core::for_parts(n_threads_, n, [&](std::int64_t first, std::int64_t last) {
      seen |= roof_loops().read(sweep_.data() + first, last - first);
    });
    sink_ = seen;
  }

  int n_threads_;
  Buffer<std::uint64_t> sweep_;
  std::uint64_t round_ = 0;
  volatile std::uint64_t sink_ = 0;
};

}  // namespace

std::int64_t cold_sweep_bytes(double bytes_per_set) {
  const std::int64_t cache = last_level_cache_bytes();
  return bytes_per_set > 4 * static_cast<double>(cache) ? 0 : 2 * cache;
}

std::unique_ptr<Timer> make_cpu_timer(const Stream& stream, double bytes_per_set) {
  return std::make_unique<CpuTimer>(stream, bytes_per_set);
}

}  // namespace rafter::lab
