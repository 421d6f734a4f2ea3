// elect.sync: elects one lane of a warp. Compute capability 9.0 and later.
#pragma once

#include "library/ptx/target.cuh"

namespace rafter::ptx {
inline namespace RAFTER_BACKEND {

/// Returns true in one lane of the warp. All 32 lanes must call it.
__device__ __forceinline__ bool elect_one() {
#ifdef RAFTER_SIMT
  const unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  return __ballot_sync(0xffffffffu, 1) != 0 && thread % 32 == 0;
#else
  [[maybe_unused]] int is_elected = 0;
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
  asm volatile(
      "{\n"
      ".reg .pred elected;\n"
      "elect.sync _|elected, 0xffffffff;\n"
      "selp.s32 %0, 1, 0, elected;\n"
      "}\n"
      : "=r"(is_elected));
#else
  __trap();
#endif
  return is_elected != 0;
#endif
}

}  // namespace RAFTER_BACKEND
}  // namespace rafter::ptx
