// How a grid shares a long array: numbers that the tuner may change, and the blocks that follow from them.
#pragma once

#include <algorithm>
#include <cstdint>

#include "library/core/cuda/launch.cuh"
#include "library/core/cuda/reduce.cuh"

namespace rafter::sum_ladder::RAFTER_BACKEND {

struct SumPolicy {
  // H200, 2^28 and 2^29 floats: 0.5 % over 256 threads x 8 blocks, 1 % over 1024 x 2 and over half the vectors.
  static constexpr int threads = 512;
  static constexpr int vectors = 4;        // 16-byte loads in flight per thread
  static constexpr int blocks_per_sm = 4;  // of the rungs below the op, which is tuned: sum_tunables.hpp
  static constexpr bool valid() { return threads % 32 == 0 && threads <= 1024 && vectors > 0; }
};
static_assert(SumPolicy::valid());

/// The blocks for `n` elements: one per tile, but no more than so many for each multiprocessor.
template <class T>
int n_sum_blocks(const Stream& stream, std::int64_t n, int blocks_per_sm = SumPolicy::blocks_per_sm) {
  constexpr std::int64_t tile = std::int64_t{SumPolicy::threads} * SumPolicy::vectors * core::Vector<T>::size;
  const std::int64_t most = std::int64_t{stream.n_multiprocessors()} * blocks_per_sm;
  return static_cast<int>(std::clamp(ceil_div(n, tile), std::int64_t{1}, most));
}

}  // namespace rafter::sum_ladder::RAFTER_BACKEND
