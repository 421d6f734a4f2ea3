// CPU roofs: each is the best of several tries and, where the C library has its own loop, the better of the two.
#include <omp.h>

#include <algorithm>
#include <chrono>
#include <cstring>

#include "lab/machine.hpp"
#include "lab/roof_loops.hpp"
#include "lab/roofs.hpp"
#include "rafter/buffer.hpp"

namespace rafter::lab {

namespace {

using Clock = std::chrono::steady_clock;
constexpr int n_tries = 12;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

/// The shortest of some runs of `work(thread, n_threads)` on all threads, in seconds.
template <class Work>
double best_seconds(int n_threads, const Work& work) {
  double best = 1e30;
  for (int attempt = 0; attempt < n_tries; ++attempt) {
    const auto start = Clock::now();
#pragma omp parallel num_threads(n_threads)
    work(omp_get_thread_num(), omp_get_num_threads());
    best = std::min(best, seconds_since(start));
  }
  return best;
}

/// A CPU implementation need not wake other threads: all it cannot do without is being called.
double empty_call_ns() {
  constexpr int n_calls = 100000;
  void (*volatile empty)() = [] {};
  const double seconds = best_seconds(1, [&](int, int) {
    for (int i = 0; i < n_calls; ++i) empty();
  });
  return 1e9 * seconds / n_calls;
}

struct Part {
  std::int64_t first;
  std::int64_t n;
};
Part part_of(std::int64_t n, int thread, int n_threads) {
  const std::int64_t first = n * thread / n_threads;
  return {first, n * (thread + 1) / n_threads - first};
}

}  // namespace

Roofs measure_cpu_roofs(const Stream& stream) {
  const int threads = stream.n_threads();
  const RoofLoops& loops = roof_loops();
  // Eight times the last-level cache, so that next to nothing of it is left from one run to the next.
  const std::int64_t bytes = std::clamp(8 * last_level_cache_bytes(), std::int64_t{256} << 20, std::int64_t{1} << 30);
  const std::int64_t n = bytes / 8;
  Buffer<std::uint64_t> a(stream, n);
  Buffer<std::uint64_t> b(stream, n);
  volatile std::uint64_t sink = 0;

  const auto write = [&](int t, int of) {
    const Part p = part_of(n, t, of);
    loops.write(a.data() + p.first, p.n, static_cast<std::uint64_t>(p.n));
  };
  const auto libc_write = [&](int t, int of) {
    const Part p = part_of(n, t, of);
    std::memset(b.data() + p.first, 1, static_cast<std::size_t>(p.n) * 8);
  };
  const auto read = [&](int t, int of) {
    const Part p = part_of(n, t, of);
    sink = loops.read(a.data() + p.first, p.n);
  };
  const auto copy = [&](int t, int of) {
    const Part p = part_of(n, t, of);
    loops.copy(a.data() + p.first, p.n, b.data() + p.first);
  };
  const auto libc_copy = [&](int t, int of) {
    const Part p = part_of(n, t, of);
    std::memcpy(b.data() + p.first, a.data() + p.first, static_cast<std::size_t>(p.n) * 8);
  };
  constexpr std::int64_t n_steps = 1 << 18;
  volatile float factor = 0.999f;
  volatile float float_sink = 0;

  const auto size = static_cast<double>(bytes);
  const auto all = static_cast<double>(threads);
  Roofs roofs;
  roofs.write_bytes_per_s = size / std::min(best_seconds(threads, write), best_seconds(threads, libc_write));
  roofs.read_bytes_per_s = size / best_seconds(threads, read);
  roofs.copy_bytes_per_s = 2 * size / std::min(best_seconds(threads, copy), best_seconds(threads, libc_copy));
  const auto fma_rate = [&](int width, auto loop) {
    return all * n_steps * 2 * width / best_seconds(threads, [&](int, int) { float_sink = loop(n_steps, factor); });
  };
  roofs.fma_flops_per_s =
      std::max({fma_rate(64, loops.fma64), fma_rate(128, loops.fma128), fma_rate(192, loops.fma192)});
  roofs.launch_ns = empty_call_ns();
  return roofs;
}

}  // namespace rafter::lab
