// The length of an edge, bitwise the same on every device and in every kernel, so that all find the same neighbours.
#pragma once

#include "library/ptx/device_build.cuh"

namespace rafter::forcefield_ladder::RAFTER_BACKEND {

/// Computes the length without contraction, like the host.
template <class T>
__device__ T squared_length(T x, T y, T z) {
  if constexpr (sizeof(T) == 4) {
    return __fadd_rn(__fadd_rn(__fmul_rn(x, x), __fmul_rn(y, y)), __fmul_rn(z, z));
  } else {
    return __dadd_rn(__dadd_rn(__dmul_rn(x, x), __dmul_rn(y, y)), __dmul_rn(z, z));
  }
}

}  // namespace rafter::forcefield_ladder::RAFTER_BACKEND
