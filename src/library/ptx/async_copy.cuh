// cp.async: a thread's copies from global to shared memory that go on while it does something else. From compute
// capability 8.0 on.
//
// A thread closes a group of copies and later waits until all but its last few groups have landed. Then it sees them
// itself; others do after a barrier (__syncwarp within the warp). Or it has an mbarrier told, and whoever waits for
// that sees them.
#pragma once

#include "library/ptx/mbarrier.cuh"

namespace rafter::ptx {
inline namespace RAFTER_BACKEND {

/// Starts to copy 4, 8 or 16 bytes; both addresses are multiples of that. 16 go past the first-level cache.
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

/// The same, but only the first `n_valid` bytes are read; zeros stand for the rest.
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

/// Closes a group: the copies that this thread started since the last one. It may be empty.
__device__ __forceinline__ void copy_async_commit() {
#ifdef RAFTER_SIMT
  rafter_simt_commit_group(rafter_simt::GroupKind::copy_async);
#else
  asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}

/// Waits for all groups of this thread but the last `Later`.
template <int Later>
__device__ __forceinline__ void copy_async_wait() {
#ifdef RAFTER_SIMT
  rafter_simt_wait_group(rafter_simt::GroupKind::copy_async, Later, 0);
#else
  asm volatile("cp.async.wait_group %0;" ::"n"(Later) : "memory");
#endif
}

/// Arrives at `barrier` once the copies that this thread has started have landed; one of the arrivals that a phase
/// counts. Who waits there need not wait for groups.
__device__ __forceinline__ void copy_async_mbarrier_arrive_noinc(Mbarrier& barrier) {
#ifdef RAFTER_SIMT
  rafter_simt_copy_async_arrive(&barrier, 0);
#else
  asm volatile("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];" ::"r"(shared_address(&barrier)) : "memory");
#endif
}

/// The same as an arrival more than the phase under way counts: somebody else must still arrive.
__device__ __forceinline__ void copy_async_mbarrier_arrive(Mbarrier& barrier) {
#ifdef RAFTER_SIMT
  rafter_simt_copy_async_arrive(&barrier, 1);
#else
  asm volatile("cp.async.mbarrier.arrive.shared::cta.b64 [%0];" ::"r"(shared_address(&barrier)) : "memory");
#endif
}

}  // namespace RAFTER_BACKEND
}  // namespace rafter::ptx
