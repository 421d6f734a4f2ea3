// Dynamic shared memory.
#pragma once

#include "library/ptx/device_build.cuh"

namespace rafter::core {
inline namespace RAFTER_BACKEND {

/// Returns the launch's dynamic shared memory, 16-byte aligned, as an array of T.
template <class T>
__device__ T* dynamic_shared() {
#ifdef RAFTER_SIMT
  return static_cast<T*>(static_cast<void*>(rafter_simt::dynamic_shared()));
#else
  extern __shared__ uint4 rafter_dynamic_shared[];
  return reinterpret_cast<T*>(rafter_dynamic_shared);
#endif
}

}  // namespace RAFTER_BACKEND
}  // namespace rafter::core
