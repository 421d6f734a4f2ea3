// cp.async: asynchronous copies of a thread from global to shared memory. Compute capability 8.0 and later.
//
// A thread commits its copies in groups and later waits until all but its last few groups have completed. The copied
// data are then visible to the thread itself, and to others after a barrier (__syncwarp within the warp). Alternatively
// the copies arrive at an mbarrier, and every thread that waits there sees the data.
#pragma once

#include "library/ptx/mbarrier.cuh"

namespace rafter::ptx {
inline namespace RAFTER_BACKEND {

/// Starts to copy 4, 8 or 16 bytes; both addresses are multiples of that. Copies of 16 bytes bypass the L1 cache.
template <int Bytes>
__device__ __forceinline__ void copy_async(void* shared, const void* global) {
  static_assert(Bytes == 4 || Bytes == 8 || Bytes == 16);
#ifdef RAFTER_SIMT
  rafter_simt_copy_async(shared, global, Bytes, Bytes);
#else
  const auto to = static_cast<unsigned>(__cvta_generic_to_shared(shared));
  if constexpr (Bytes == 16) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(global) : "memory");
  } else {
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(to), "l"(global), "n"(Bytes) : "memory");
  }
#endif
}

/// Starts to copy like copy_async(), but reads only the first `n_valid` bytes and fills the rest with zeros.
template <int Bytes>
__device__ __forceinline__ void copy_async_zero_fill(void* shared, const void* global, int n_valid) {
  static_assert(Bytes == 4 || Bytes == 8 || Bytes == 16);
#ifdef RAFTER_SIMT
  rafter_simt_copy_async(shared, global, Bytes, n_valid);
#else
  const auto to = static_cast<unsigned>(__cvta_generic_to_shared(shared));
  if constexpr (Bytes == 16) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(global), "r"(n_valid) : "memory");
  } else {
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;" ::"r"(to), "l"(global), "n"(Bytes), "r"(n_valid)
                 : "memory");
  }
#endif
}

/// Commits a group: the copies that this thread started since the previous group. It may be empty.
__device__ __forceinline__ void copy_async_commit() {
#ifdef RAFTER_SIMT
  rafter_simt_commit_group(rafter_simt::GroupKind::copy_async);
#else
  asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}

/// Waits for all groups of this thread except the last `Later`.
template <int Later>
__device__ __forceinline__ void copy_async_wait() {
#ifdef RAFTER_SIMT
  rafter_simt_wait_group(rafter_simt::GroupKind::copy_async, Later, 0);
#else
  asm volatile("cp.async.wait_group %0;" ::"n"(Later) : "memory");
#endif
}

/// Arrives at `barrier` when the copies started by this thread have completed. It is one of the arrivals that the phase
/// expects. Threads that wait at the barrier need not wait for groups.
__device__ __forceinline__ void copy_async_mbarrier_arrive_noinc(Mbarrier& barrier) {
#ifdef RAFTER_SIMT
  rafter_simt_copy_async_arrive(&barrier, 0);
#else
  asm volatile("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];" ::"r"(shared_address(&barrier)) : "memory");
#endif
}

/// Arrives like copy_async_mbarrier_arrive_noinc(), but increments the pending count of the current phase first, so the
/// phase still expects all its other arrivals.
__device__ __forceinline__ void copy_async_mbarrier_arrive(Mbarrier& barrier) {
#ifdef RAFTER_SIMT
  rafter_simt_copy_async_arrive(&barrier, 1);
#else
  asm volatile("cp.async.mbarrier.arrive.shared::cta.b64 [%0];" ::"r"(shared_address(&barrier)) : "memory");
#endif
}

}  // namespace RAFTER_BACKEND
}  // namespace rafter::ptx
