// CPU roofs: each is the best of several tries and, where the C library has its own loop, the better of the two.
#include <omp.h>

#include <algorithm>
#include <chrono>
#include <cstring>

#include "lab/report/machine.hpp"
#include "lab/roofs/roof_loops.hpp"
#include "lab/roofs/roofs.hpp"
#include "rafter/buffer.hpp"

namespace rafter::lab {

namespace {

using Clock = std::chrono::steady_clock;
constexpr int n_tries = 12;
constexpr int n_slices = 8;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

struct Part {
  std::int64_t first;
  std::int64_t n;
};
Part part_of(const Part& whole, int index, int count) {
  const std::int64_t first = whole.n * index / count;
  return {whole.first + first, whole.n * (index + 1) / count - first};
}

/// The best rate of `work(part)` over `n` elements on all threads, in elements per second. Timed slice by slice: on a
/// busy machine a short slice finds a quiet moment where a long pass does not. A slice's turn comes after all the
/// others, so nothing of it is left in the caches.
template <class Work>
double best_rate(int n_threads, std::int64_t n, const Work& work) {
  double best = 0;
  for (int attempt = 0; attempt < n_tries * n_slices; ++attempt) {
    const Part slice = part_of({0, n}, attempt % n_slices, n_slices);
    const auto start = Clock::now();
#pragma omp parallel num_threads(n_threads)
    work(part_of(slice, omp_get_thread_num(), omp_get_num_threads()));
    best = std::max(best, static_cast<double>(slice.n) / seconds_since(start));
  }
  return best;
}

/// A CPU implementation need not wake other threads: all it cannot do without is being called.
double empty_call_ns() {
  constexpr std::int64_t n_calls = 100000;
  void (*volatile empty)() = [] {};
  return 1e9 / best_rate(1, n_calls, [&](const Part& part) {
           for (std::int64_t i = 0; i < part.n; ++i) empty();
         });
}

double fma_flops_per_s(int n_threads) {
  const RoofLoops& loops = roof_loops();
  alignas(64) float factors[32];
  for (float& factor : factors) factor = 0.999f;
  volatile float sink = 0;
  const auto rate = [&](int width, auto loop) {
    const std::int64_t n_steps = std::int64_t{n_threads} << 18;
    return 2 * width * best_rate(n_threads, n_steps, [&](const Part& part) { sink = loop(part.n, factors); });
  };
  return std::max({rate(64, loops.fma64), rate(128, loops.fma128), rate(192, loops.fma192)});
}

}  // namespace

Roofs measure_cpu_roofs(const Stream& stream) {
  const int threads = stream.n_threads();
  const RoofLoops& loops = roof_loops();
  const std::int64_t bytes = std::clamp(8 * last_level_cache_bytes(), std::int64_t{256} << 20, std::int64_t{1} << 30);
  const std::int64_t n = bytes / 8;
  Buffer<std::uint64_t> a(stream, n);
  Buffer<std::uint64_t> b(stream, n);
  volatile std::uint64_t sink = 0;

  const auto write = [&](const Part& p) { loops.write(a.data() + p.first, p.n, static_cast<std::uint64_t>(p.n)); };
  const auto libc_write = [&](const Part& p) { std::memset(b.data() + p.first, 1, static_cast<std::size_t>(p.n) * 8); };
  const auto read = [&](const Part& p) { sink = loops.read(a.data() + p.first, p.n); };
  const auto copy = [&](const Part& p) { loops.copy(a.data() + p.first, p.n, b.data() + p.first); };
  const auto libc_copy = [&](const Part& p) {
    std::memcpy(b.data() + p.first, a.data() + p.first, static_cast<std::size_t>(p.n) * 8);
  };
  const double write_rate = std::max(best_rate(threads, n, write), best_rate(threads, n, libc_write));  // first touch
  return {.read_bytes_per_s = 8 * best_rate(threads, n, read),
          .write_bytes_per_s = 8 * write_rate,
          .copy_bytes_per_s = 16 * std::max(best_rate(threads, n, copy), best_rate(threads, n, libc_copy)),
          .fma_flops_per_s = fma_flops_per_s(threads),
          .launch_ns = empty_call_ns()};
}

}  // namespace rafter::lab
