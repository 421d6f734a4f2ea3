// Copies from global to shared memory that go on while their thread does something else.
#pragma once

#include "core/streaming.cuh"

namespace rafter::core {
inline namespace RAFTER_BACKEND {

/// Starts to copy 4, 8 or 16 bytes; both addresses are multiples of that. 16 go past the first-level cache.
template <int Bytes>
__device__ void start_copy(void* shared, const void* global) {
#ifdef RAFTER_SIMT
  using Word = typename MachineWord<Bytes>::type;
  *static_cast<Word*>(shared) = *static_cast<const Word*>(global);
#else
  const auto to = static_cast<unsigned>(__cvta_generic_to_shared(shared));
  if constexpr (Bytes == 16) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(global) : "memory");
  } else {
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(to), "l"(global), "n"(Bytes) : "memory");
  }
#endif
}

/// Closes a batch: the copies that this thread started since the last one. It may be empty.
__device__ inline void end_batch() {
#ifndef RAFTER_SIMT
  asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}

/// Waits for all batches of this thread but the last `Later`. Others see the copies after a barrier (a __syncwarp
/// within the warp).
template <int Later>
__device__ void wait_for_batches() {
#ifndef RAFTER_SIMT
  asm volatile("cp.async.wait_group %0;" ::"n"(Later) : "memory");
#endif
}

}  // namespace RAFTER_BACKEND
}  // namespace rafter::core
