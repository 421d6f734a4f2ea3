// Loops of CPU ops, divided into contiguous parts.
#pragma once

#include <algorithm>
#include <cstdint>

#include "library/core/cpu/threads.hpp"
#include "rafter/stream.hpp"

namespace rafter::core {

/// Returns the number of the stream's threads to use for `n` elements: each gets at least `per_thread`.
inline int threads_for(const Stream& stream, std::int64_t n, std::int64_t per_thread) {
  return static_cast<int>(std::clamp<std::int64_t>(n / per_thread, 1, stream.n_threads()));
}

/// Returns the number of the stream's threads to use for an op that reads and writes `bytes` bytes. Waking a thread
/// that sleeps takes several microseconds, and 65 where other processes use the cores (kernels/sum/NOTES.md).
inline int threads_for_bytes(const Stream& stream, std::int64_t bytes) {
  constexpr std::int64_t per_thread = 512 << 10;
  return threads_for(stream, bytes, per_thread);
}

/// Calls f(first, last) for parts that together are [0, n), one thread per part. A single part runs in the calling
/// thread.
template <class F>
void for_parts(int n_threads, std::int64_t n, const F& f) {
  if (n == 0) return;
  if (n_threads == 1 || n == 1) return f(std::int64_t{0}, n);
  run_parts(n_threads, [&](int part) { f(n * part / n_threads, n * (part + 1) / n_threads); });
}

/// Calls f(i) for each i in [0, n), in contiguous parts, one thread per part.
template <class F>
void for_each_index(int n_threads, std::int64_t n, const F& f) {
  for_parts(static_cast<int>(std::clamp<std::int64_t>(n, 1, n_threads)), n, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t i = first; i < last; ++i) f(i);
  });
}

/// Calls f(i) for each i in [0, n) on the stream's threads.
template <class F>
void for_each_part(const Stream& stream, std::int64_t n, const F& f) {
  for_each_index(stream.n_threads(), n, f);
}

}  // namespace rafter::core
