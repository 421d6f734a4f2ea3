// The launch shape of the sums that stride over the array: the policy, and the number of blocks.
#pragma once

#include <algorithm>
#include <cstdint>

#include "library/core/cuda/launch.cuh"
#include "library/core/cuda/reduce.cuh"

namespace rafter::sum_ladder::RAFTER_BACKEND {

struct SumPolicy {
  // H200, 2^28 floats: 0.5 % faster than 256 threads x 8 blocks, 1 % faster than 1024 x 2 with half the vectors
  // (NOTES.md, "Block shape").
  static constexpr int threads = 512;
  static constexpr int vectors = 4;        // 16-byte loads in flight per thread
  static constexpr int blocks_per_sm = 4;  // of the rungs below the op; the op's number is in sum_tunables.hpp
  static constexpr bool valid() { return threads % 32 == 0 && threads <= 1024 && vectors > 0; }
};
static_assert(SumPolicy::valid());

/// Returns the number of blocks for `n` elements: one per tile, at most `blocks_per_sm` per multiprocessor.
template <class T>
int n_sum_blocks(const Stream& stream, std::int64_t n, int blocks_per_sm = SumPolicy::blocks_per_sm) {
  constexpr std::int64_t tile = std::int64_t{SumPolicy::threads} * SumPolicy::vectors * core::Vector<T>::size;
  const std::int64_t most = std::int64_t{stream.n_multiprocessors()} * blocks_per_sm;
  return static_cast<int>(std::clamp(ceil_div(n, tile), std::int64_t{1}, most));
}

}  // namespace rafter::sum_ladder::RAFTER_BACKEND
