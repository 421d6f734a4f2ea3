// Distribution of a CPU op's work over threads.
#pragma once

#include <algorithm>
#include <cstdint>

#include "rafter/stream.hpp"

namespace rafter::core {

/// Returns the number of the stream's threads to use for `n` elements: each gets at least `per_thread`.
inline int threads_for(const Stream& stream, std::int64_t n, std::int64_t per_thread) {
  return static_cast<int>(std::clamp<std::int64_t>(n / per_thread, 1, stream.n_threads()));
}

/// Calls f(first, last) for parts that together are [0, n), one thread per part. A single part runs in the calling
/// thread: even a parallel region of one thread takes longer than a thousand elements.
template <class F>
void for_parts(int n_threads, std::int64_t n, const F& f) {
  if (n == 0) return;
  if (n_threads == 1 || n == 1) return f(std::int64_t{0}, n);
#pragma omp parallel for schedule(static) num_threads(n_threads)
  for (int part = 0; part < n_threads; ++part) f(n * part / n_threads, n * (part + 1) / n_threads);
}

/// Calls f(i) for each i in [0, n), in contiguous parts, one thread per part.
template <class F>
void for_each_part(const Stream& stream, std::int64_t n, const F& f) {
  for_parts(threads_for(stream, n, 1), n, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t i = first; i < last; ++i) f(i);
  });
}

}  // namespace rafter::core
