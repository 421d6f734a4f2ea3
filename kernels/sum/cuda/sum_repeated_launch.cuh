// Sums an array by repeated launches: each launch reduces 1024 numbers to one, until one is left.
#pragma once

#include <cstdint>
#include <span>
#include <utility>

#include "library/core/cuda/launch.cuh"
#include "library/core/stream/scratch.hpp"

namespace rafter::sum_ladder::RAFTER_BACKEND {

inline constexpr int repeated_threads = 1024;

/// Launches `kernel(in, n, partial)`, which writes the sum of its block's 1024 elements to partial[blockIdx.x], until
/// one number is left. Consecutive launches write alternate halves of the scratch; stream order separates them.
template <class T>
void launch_until_one(void (*kernel)(const T*, std::int64_t, T*), const Stream& stream, std::span<const T> in, T* out) {
  constexpr int threads = repeated_threads;
  const T* from = in.data();
  std::int64_t n = std::ssize(in);
  const std::int64_t most_partials = ceil_div(n, threads);
  T* to = reinterpret_cast<T*>(core::scratch(stream, 2 * most_partials * static_cast<std::int64_t>(sizeof(T))));
  T* other = to + most_partials;
  for (; n > threads; n = ceil_div(n, threads)) {
    core::launch(kernel, ceil_div(n, threads), threads, 0, stream, from, n, to);
    from = to;
    std::swap(to, other);
  }
  core::launch(kernel, 1, threads, 0, stream, from, n, out);
}

}  // namespace rafter::sum_ladder::RAFTER_BACKEND
