// Sums within a thread, a warp and a block.
#pragma once

#include <cstdint>

#include "library/core/cuda/vector.cuh"

namespace rafter::core {
inline namespace RAFTER_BACKEND {

inline constexpr int warp_size = 32;
inline constexpr unsigned full_warp = 0xffffffffu;

/// Returns the sum over each group of `Lanes` adjacent lanes (a power of two), in the group's first lane. The whole
/// warp must call it.
template <int Lanes = warp_size, class T>
__device__ T warp_sum(T value) {
#pragma unroll
  for (int distance = Lanes / 2; distance > 0; distance /= 2) value += __shfl_down_sync(full_warp, value, distance);
  return value;
}

/// Returns the sum over the elements of `in[0, n)` assigned to thread `t` of `Threads`, when `n_blocks` such groups
/// share the array. Loads `Vectors` 16-byte vectors at a time; the first group adds the unaligned ends. Elements are
/// added in Sum.
template <int Threads, int Vectors, class T, class Sum = Accumulator<T>>
__device__ Sum thread_sum(const T* in, std::int64_t n, int t, std::int64_t block = 0, std::int64_t n_blocks = 1) {
  constexpr int tile = Threads * Vectors;
  const VectorSplit split = split_in_vectors(in, n);
  const auto* body = reinterpret_cast<const Vector<T>*>(in + split.head) + t;

  Sum total[Vectors] = {};
  std::int64_t first = block * tile;
  for (; first + tile <= split.body; first += n_blocks * tile) {
    Vector<T> v[Vectors];
#pragma unroll
    for (int k = 0; k < Vectors; ++k) v[k] = body[first + k * Threads];
#pragma unroll
    for (int k = 0; k < Vectors; ++k) total[k] += v[k].template sum_in<Sum>();
  }
#pragma unroll
  for (int k = 0; k < Vectors; ++k) {  // the last, partial tile; past the end for every block but one
    if (first + k * Threads + t < split.body) total[k] += body[first + k * Threads].template sum_in<Sum>();
  }
  if (block == 0) {
    if (t < split.head) total[0] += static_cast<Sum>(widen(in[t]));
    if (t < split.tail) total[0] += static_cast<Sum>(widen(in[n - 1 - t]));
  }
#pragma unroll
  for (int k = 1; k < Vectors; ++k) total[0] += total[k];
  return total[0];
}

/// Storage for one partial sum per warp of a block of `Threads`.
template <class T, int Threads>
struct BlockSumStorage {
  T partial[Threads / warp_size];
};

/// Returns the sum over the block's threads, in thread 0. All threads must call it; a barrier must precede the next use
/// of `storage`.
template <class T, int Threads>
__device__ T block_sum(T value, BlockSumStorage<T, Threads>& storage) {
  constexpr int n_warps = Threads / warp_size;
  const int lane = static_cast<int>(threadIdx.x) % warp_size;
  const int warp = static_cast<int>(threadIdx.x) / warp_size;
  value = warp_sum(value);
  if (lane == 0) storage.partial[warp] = value;
  __syncthreads();  // all partial sums are complete before the first warp adds them
  if (warp == 0) value = warp_sum(lane < n_warps ? storage.partial[lane] : T{0});
  return value;
}

/// Returns true in the last of `n_blocks` blocks to call it. Thread 0 calls it when its block's result is in global
/// memory; the last block may then read all results with __ldcg. Resets the ticket to zero for the next launch.
inline __device__ bool take_last_ticket(unsigned* ticket, unsigned n_blocks) {
  __threadfence();  // the result is visible before the ticket
  const bool last = atomicAdd(ticket, 1u) == n_blocks - 1;
  if (last) {
    __threadfence();  // all tickets are acquired before any result is read
    *ticket = 0;
  }
  return last;
}

}  // namespace RAFTER_BACKEND
}  // namespace rafter::core
