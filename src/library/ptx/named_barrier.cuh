// Named barriers: barriers of some warps of a block, identified by a number, while other warps continue.
#pragma once

#include "library/ptx/target.cuh"

namespace rafter::ptx {
inline namespace RAFTER_BACKEND {

/// Waits at barrier `id` (1 to 15; 0 is __syncthreads) until `n_threads` threads, a multiple of 32, have arrived. Whole
/// warps must call it.
__device__ __forceinline__ void barrier_sync(int id, int n_threads) {
#ifdef RAFTER_SIMT
  rafter_simt_barrier(id, n_threads, rafter_simt::BarrierKind::plain, 0, 0);
#else
  asm volatile("barrier.sync %0, %1;" ::"r"(id), "r"(n_threads) : "memory");
#endif
}

/// Arrives at barrier `id` without waiting. Earlier writes are visible to the threads that wait there.
__device__ __forceinline__ void barrier_arrive(int id, int n_threads) {
#ifdef RAFTER_SIMT
  rafter_simt_barrier_arrive(id, n_threads);
#else
  asm volatile("barrier.arrive %0, %1;" ::"r"(id), "r"(n_threads) : "memory");
#endif
}

}  // namespace RAFTER_BACKEND
}  // namespace rafter::ptx
