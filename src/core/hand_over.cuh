// What blocks of one launch need to hand data to each other: a sum that says how far they are.
#pragma once

#include "core/streaming.cuh"

namespace rafter::core {
inline namespace RAFTER_BACKEND {

/// Adds, when what this thread did before is to be seen by those who see the sum. A __syncwarp() before brings in what
/// the warp did.
__device__ inline void add_after_all(int* at, int n) {
#ifdef RAFTER_SIMT
  __threadfence();  // what was done comes before the sum
  atomicAdd(at, n);
#else
  asm volatile("red.release.gpu.global.add.s32 [%0], %1;" ::"l"(at), "r"(n) : "memory");
#endif
}

/// What is there; what others did before they put it there is seen from here on.
__device__ inline int load_before_all(const int* at) {
#ifdef RAFTER_SIMT
  return *static_cast<const volatile int*>(at);
#else
  int value;
  asm volatile("ld.acquire.gpu.global.s32 %0, [%1];" : "=r"(value) : "l"(at) : "memory");
  return value;
#endif
}

/// From where all multiprocessors see the same, past the first-level cache: for what others write during the launch.
template <class T>
__device__ T load_as_all_see_it(const T* at) {
  using Word = typename MachineWord<sizeof(T)>::type;
  const Word word = __ldcg(reinterpret_cast<const Word*>(at));
  T value;
  memcpy(&value, &word, sizeof value);
  return value;
}

}  // namespace RAFTER_BACKEND
}  // namespace rafter::core
