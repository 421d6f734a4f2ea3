// What the kernels of the ladder compare, and the greatest of the values of a block's threads.
#pragma once

#include <cstdint>
#include <limits>
#include <type_traits>

#include "library/core/cuda/reduce.cuh"

namespace rafter::extrema_ladder::RAFTER_BACKEND {

/// The type of keys on a GPU, which computes in 32 or 64 bits.
template <class Word>
using KeyType = std::conditional_t<sizeof(Word) == 8, std::int64_t, std::int32_t>;

/// A key and the first index that has it, as a rank: -1 - index, so that the greatest rank is the first index.
template <class Key>
struct Candidate {
  Key key;
  std::int64_t rank;
};
inline constexpr std::int64_t no_rank = std::numeric_limits<std::int64_t>::min();

/// Whether `a` has the greater key, or the same at an earlier index.
template <class Key>
__device__ bool is_better(const Candidate<Key>& a, const Candidate<Key>& b) {
  return a.key > b.key || (a.key == b.key && a.rank > b.rank);
}

/// Returns the greatest value of the warp's lanes in its first lane. The whole warp must call it.
template <class T>
__device__ T warp_greatest(T value) {
#pragma unroll
  for (int distance = core::warp_size / 2; distance > 0; distance /= 2) {
    const T other = __shfl_down_sync(core::full_warp, value, distance);
    value = other > value ? other : value;
  }
  return value;
}

template <class T, int Threads>
struct BlockGreatestStorage {
  T partial[Threads / core::warp_size];
  T result;
};

/// Returns the greatest value of the block's threads, in all of them. All threads must call it. `storage` may be used
/// again at once: the second barrier orders the reads of `partial` before the next writes, and the first barrier of the
/// next call orders the reads of `result`.
template <class T, int Threads>
__device__ T block_greatest(T value, BlockGreatestStorage<T, Threads>& storage) {
  constexpr int n_warps = Threads / core::warp_size;
  const int lane = static_cast<int>(threadIdx.x) % core::warp_size;
  const int warp = static_cast<int>(threadIdx.x) / core::warp_size;
  value = warp_greatest(value);
  if (lane == 0) storage.partial[warp] = value;
  __syncthreads();  // the partial results are complete before the first warp reads them
  if (warp == 0) {
    value = warp_greatest(storage.partial[lane < n_warps ? lane : 0]);
    if (lane == 0) storage.result = value;
  }
  __syncthreads();  // the result is complete before all threads read it
  return storage.result;
}

}  // namespace rafter::extrema_ladder::RAFTER_BACKEND
