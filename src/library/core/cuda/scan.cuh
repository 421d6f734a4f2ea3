// Prefix sums within a warp and a block.
#pragma once

#include "library/core/cuda/reduce.cuh"

namespace rafter::core {
inline namespace RAFTER_BACKEND {

/// Returns the sum of the values of this lane and all lanes before it. The whole warp must call it.
template <class T>
__device__ T warp_inclusive_sum(T value) {
  const int lane = static_cast<int>(threadIdx.x) % warp_size;
#pragma unroll
  for (int distance = 1; distance < warp_size; distance *= 2) {
    const T before = __shfl_up_sync(full_warp, value, distance);
    if (lane >= distance) value += before;
  }
  return value;
}

template <class T>
struct RunningSum {
  T before;  ///< the sum of the threads before this one
  T total;   ///< the sum of the block
};

/// Returns the prefix sum over a block of `Threads`. All threads must call it; a barrier must precede the next use of
/// `storage`.
template <class T, int Threads>
__device__ RunningSum<T> block_running_sum(T value, BlockSumStorage<T, Threads>& storage) {
  constexpr int n_warps = Threads / warp_size;
  const int warp = static_cast<int>(threadIdx.x) / warp_size;
  const T inclusive = warp_inclusive_sum(value);
  const T exclusive = __shfl_up_sync(full_warp, inclusive, 1);
  if (threadIdx.x % warp_size == warp_size - 1) storage.partial[warp] = inclusive;
  __syncthreads();  // the sums of all warps are complete
  RunningSum<T> sum = {threadIdx.x % warp_size == 0 ? T{0} : exclusive, T{0}};
#pragma unroll
  for (int i = 0; i < n_warps; ++i) {
    if (i < warp) sum.before += storage.partial[i];
    sum.total += storage.partial[i];
  }
  return sum;
}

}  // namespace RAFTER_BACKEND
}  // namespace rafter::core
