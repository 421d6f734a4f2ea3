// Measures CPU roofs: each is the best of several loops (plain, streaming stores, the C library's own) and of several
// attempts.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <map>
#include <tuple>

#include "library/core/cpu/threads.hpp"
#include "rafter/buffer.hpp"
#include "workbench/lab/machine/machine.hpp"
#include "workbench/lab/machine/roof_loops.hpp"
#include "workbench/lab/machine/timer.hpp"
#include "workbench/lab/roofs/roof_meter.hpp"

namespace rafter::lab {

namespace {

constexpr double smallest_bytes = 1 << 16;
constexpr double small_bytes = 4 << 20;  // up to here a sample is short, and one thread may be faster than all
constexpr int n_tries_when_small = 3;
constexpr double slice_bytes = 32 << 20;
constexpr std::int64_t elements_step = 32;  // of 8 bytes: one iteration of the read loop

/// A thread's part: `n` elements of 8 bytes in each stream; the streams follow each other from `at`.
struct Piece {
  std::uint64_t* at;
  std::int64_t n;
};
using Loop = std::function<void(const Piece&)>;

/// Uses the value that was read, so that the compiler does not remove the loads.
std::atomic<std::uint64_t> sink{0};
void keep(std::uint64_t value) {
  if (value == 0) sink.store(value, std::memory_order_relaxed);
}

std::vector<Loop> loops_for(const Traffic& traffic) {
  const RoofLoops& loops = roof_loops();
  if (traffic.n_out == 0) return {[&](const Piece& p) { keep(loops.read(p.at, p.n)); }};
  if (traffic.n_in == 0) {
    return {[&](const Piece& p) { loops.write(p.at, p.n, 1); },
            [&](const Piece& p) { loops.write_streamed(p.at, p.n, 1); },
            [](const Piece& p) { std::memset(p.at, 1, static_cast<std::size_t>(p.n) * 8); }};
  }
  const auto n_in = static_cast<std::size_t>(traffic.n_in);
  const auto combine_by = [n_in](CombineLoop loop) {
    return [=](const Piece& p) { loop(p.at, p.n, p.n, p.at + static_cast<std::int64_t>(n_in) * p.n); };
  };
  std::vector<Loop> all{combine_by(loops.combine[n_in - 1]), combine_by(loops.combine_streamed[n_in - 1])};
  if (n_in == 1) {
    all.push_back([](const Piece& p) { std::memcpy(p.at + p.n, p.at, static_cast<std::size_t>(p.n) * 8); });
  }
  return all;
}

class CpuRoofMeter final : public RoofMeter {
 public:
  explicit CpuRoofMeter(const Stream& stream)
      : stream_(stream), n_threads_(stream.n_threads()), cache_(static_cast<double>(last_level_cache_bytes())) {}

  std::string machine() const override {
    constexpr int method = 3;  // version of the measurement; cached curves of other versions are ignored
    return fmt::format("{} | {} threads | curve {}", describe_device(Device::cpu), n_threads_, method);
  }

  std::vector<double> sizes() const override {
    std::vector<double> all{smallest_bytes};
    while (all.back() < largest_bytes()) all.push_back(4 * all.back());
    return all;
  }

  std::vector<double> rates(const Traffic& traffic, std::span<const double> sizes) override {
    require_memory();
    std::vector<double> best(sizes.size());
    const std::vector<Loop> loops = loops_for(traffic);
    for (std::size_t l = 0; l < loops.size(); ++l) {
      for (std::size_t i = 0; i < sizes.size(); ++i) {
        const bool is_small = sizes[i] <= small_bytes;
        for (int attempt = 0; attempt < (is_small ? n_tries_when_small : 1); ++attempt) {
          Sample sample{traffic, loops[l], sizes[i], n_threads_};
          best[i] = std::max(best[i], cold_rate(sample, memory_->least_ns[{traffic.name, l, sizes[i]}]));
          if (!is_small || n_threads_ == 1) continue;
          sample.n_threads = 1;
          std::vector<double> of_one{};
          best[i] = std::max(best[i], cold_rate(sample, of_one));
        }
      }
    }
    return best;
  }

  double cache_bytes_per_s() override {
    require_memory();
    constexpr std::int64_t n = (16 << 10) / 8;  // fits any first-level cache
    constexpr int n_passes = 500;
    const RoofLoops& loops = roof_loops();
    return 8 * std::max(best_rate(n * n_passes,
                                  [&](int t) {
                                    std::uint64_t all = 0;
                                    for (int pass = 0; pass < n_passes; ++pass) all |= loops.read(part(t), n);
                                    keep(all);
                                  }),
                        best_rate(n * n_passes, [&](int t) {
                          for (int pass = 0; pass < n_passes; ++pass)
                            loops.combine[0](part(t), n / 2, n / 2, part(t) + n / 2);
                        }));
  }
  double cache_bytes() const override { return cache_; }
  double sector_bytes() const override { return 64; }
  void release() override { memory_.reset(); }

  /// The time of an empty call: a CPU implementation need not wake other threads.
  double launch_ns() override {
    constexpr std::int64_t n_calls = 10000;
    void (*volatile empty)() = [] {};
    return 1e9 * n_threads_ / best_rate(n_calls, [&](int) {
             for (std::int64_t i = 0; i < n_calls; ++i) empty();
           });
  }

  double operations_per_s(Unit unit) override {
    const RoofLoops& loops = roof_loops();
    if (unit == Unit::fp32) return fma_rate<float>(loops.fma_fp32);
    return unit == Unit::fp64 ? fma_rate<double>(loops.fma_fp64) : 0;
  }

 private:
  double largest_bytes() const {
    constexpr double least = 256 << 20, most = 1 << 30;
    return std::clamp(4 * cache_, least, most);
  }
  std::int64_t elements_per_thread() const {
    return static_cast<std::int64_t>(sizes().back()) / 8 / n_threads_ / elements_step * elements_step;
  }
  std::uint64_t* part(int thread) { return memory_->arena.data() + thread * elements_per_thread(); }

  void require_memory() {
    if (memory_) return;
    memory_.reset(new Memory{make_cpu_timer(stream_, 0), {stream_, n_threads_ * elements_per_thread()}});
    core::run_parts(n_threads_, [&](int thread) {  // first touch by the thread that uses it
      roof_loops().write(part(thread), elements_per_thread(), 1);
    });
    touched_ = cache_;
  }

  template <class Work>
  static double wall_ns(const Work& work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start).count();
  }

  /// Returns the offset of memory that is in no cache, for each of the threads: it was not touched since the last
  /// flush. Flushes when half of the cache is used up. Working sets far larger than the cache are cold anyway, as in a
  /// case.
  std::int64_t cold_place(std::int64_t elements, int n_threads) {
    const double bytes = 8. * static_cast<double>(elements) * n_threads;
    if (bytes <= 4 * cache_ && touched_ + bytes > cache_ / 2) {
      memory_->flusher->time_ns(Regime::cold, [] {});
      touched_ = 0;
    }
    touched_ += bytes;
    if (next_ + elements > elements_per_thread()) next_ = 0;
    return std::exchange(next_, next_ + elements);
  }

  struct Sample {
    const Traffic& traffic;
    const Loop& loop;
    double bytes;
    int n_threads;
  };

  /// Times large working sets slice by slice and counts the least time ever measured for each slice: on a busy machine
  /// a slice runs undisturbed more often than the whole.
  double cold_rate(const Sample& sample, std::vector<double>& least_ns) {
    const int n_streams = sample.traffic.n_in + sample.traffic.n_out;
    const auto per_stream = static_cast<std::int64_t>(sample.bytes) / 8 / n_streams / sample.n_threads;
    const std::int64_t n_slices = std::max<std::int64_t>(1, static_cast<std::int64_t>(sample.bytes / slice_bytes));
    const std::int64_t n = std::max<std::int64_t>(1, per_stream / n_slices / elements_step) * elements_step;
    const std::int64_t place = cold_place(n_slices * n * n_streams, sample.n_threads);
    least_ns.resize(static_cast<std::size_t>(n_slices), 1e300);
    double ns = 0;
    for (std::int64_t slice = 0; slice < n_slices; ++slice) {
      const std::int64_t at = place + slice * n * n_streams;
      const double slice_ns = wall_ns([&] {
        if (sample.n_threads == 1) return sample.loop({part(0) + at, n});
        core::run_parts(sample.n_threads, [&](int thread) { sample.loop({part(thread) + at, n}); });
      });
      double& least = least_ns[static_cast<std::size_t>(slice)];
      ns += least = std::min(least, slice_ns);
    }
    return 1e9 * 8 * static_cast<double>(n_slices * n * n_streams * sample.n_threads) / ns;
  }

  /// Returns the rate of all threads when each does `amount` per call: the best of many short calls, some of which run
  /// undisturbed even on a busy machine.
  template <class Work>
  double best_rate(std::int64_t amount, const Work& work) {
    constexpr int n_tries = 60;
    double best = 0;
    for (int attempt = 0; attempt < n_tries; ++attempt) {
      const double ns = wall_ns([&] { core::run_parts(n_threads_, work); });
      best = std::max(best, 1e9 * static_cast<double>(amount) * n_threads_ / ns);
    }
    touched_ = cache_;
    return best;
  }

  template <class T>
  double fma_rate(const FmaLoop<T> (&loops)[3]) {
    constexpr std::int64_t n_steps = 1 << 15;
    alignas(64) T factors[2 * 64 / sizeof(T)];
    for (T& factor : factors) factor = static_cast<T>(0.999);
    volatile T result = 0;
    double best = 0;
    for (const FmaLoop<T>& loop : loops) {
      best = std::max(best, 2 * loop.n_numbers * best_rate(n_steps, [&](int) { result = loop.run(n_steps, factors); }));
    }
    return best;
  }

  Stream stream_;
  int n_threads_;
  double cache_;
  struct Memory {
    std::unique_ptr<Timer> flusher;  ///< flushes as before the timing of rungs
    Buffer<std::uint64_t> arena;
    /// The least time of each slice, by traffic, loop and size, since the memory was allocated.
    std::map<std::tuple<std::string, std::size_t, double>, std::vector<double>> least_ns{};
  };
  std::unique_ptr<Memory> memory_{};
  std::int64_t next_ = 0;
  double touched_ = 0;  ///< bytes since the last flush
};

}  // namespace

std::unique_ptr<RoofMeter> make_cpu_roof_meter(const Stream& stream) { return std::make_unique<CpuRoofMeter>(stream); }

}  // namespace rafter::lab
