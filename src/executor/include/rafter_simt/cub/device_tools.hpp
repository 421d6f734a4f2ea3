// CUB's host helpers: error macros, the caching allocator (which does not cache here), versions.
#pragma once

#include <cstdio>
#include <cstdlib>

#include "rafter_simt/api/runtime_api.hpp"
#include "rafter_simt/cub/types.hpp"

namespace cub {

inline cudaError_t Debug(cudaError_t error, const char* file, int line) {
  if (error != cudaSuccess)
    std::fprintf(stderr, "CUDA error %d [%s, %d]: %s\n", static_cast<int>(error), file, line,
                 cudaGetErrorString(error));
  return error;
}

inline cudaError_t SyncStream(cudaStream_t stream) { return cudaStreamSynchronize(stream); }

/// Returns compute capability 9.0, for the device and for the compiled code.
inline cudaError_t PtxVersion(int& version, int = 0) {
  version = 900;
  return cudaSuccess;
}
inline cudaError_t SmVersion(int& version, int = 0) { return PtxVersion(version); }

inline int CurrentDevice() {
  int device = -1;
  return cudaGetDevice(&device) == cudaSuccess ? device : -1;
}
inline int DeviceCount() {
  int count = -1;
  return cudaGetDeviceCount(&count) == cudaSuccess ? count : -1;
}

template <class Kernel>
cudaError_t MaxSmOccupancy(int& blocks, Kernel kernel, int block_threads, int dynamic_bytes = 0) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, block_threads,
                                                       static_cast<std::size_t>(dynamic_bytes));
}

/// Allocates and frees at once: caching would hide uses after free.
struct CachingDeviceAllocator {
  static constexpr unsigned int INVALID_BIN = ~0u;

  explicit CachingDeviceAllocator(bool = false, bool = false) {}
  CachingDeviceAllocator(unsigned int, unsigned int = 1, unsigned int = INVALID_BIN, std::size_t = ~std::size_t{0},
                         bool = false, bool = false) {}
  cudaError_t DeviceAllocate(void** pointer, std::size_t bytes, cudaStream_t = nullptr) {
    return cudaMalloc(pointer, bytes);
  }
  cudaError_t DeviceAllocate(int, void** pointer, std::size_t bytes, cudaStream_t = nullptr) {
    return cudaMalloc(pointer, bytes);
  }
  cudaError_t DeviceFree(void* pointer) { return cudaFree(pointer); }
  cudaError_t DeviceFree(int, void* pointer) { return cudaFree(pointer); }
  cudaError_t FreeAllCached() { return cudaSuccess; }
  cudaError_t SetMaxCachedBytes(std::size_t) { return cudaSuccess; }
};

}  // namespace cub

#define CubDebug(...) cub::Debug((cudaError_t)(__VA_ARGS__), __FILE__, __LINE__)
#define CubDebugExit(...) \
  if (cub::Debug((cudaError_t)(__VA_ARGS__), __FILE__, __LINE__)) exit(1)
