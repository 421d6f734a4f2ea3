// Queries about kernels: attributes and occupancy, for kernels of any type.
#pragma once

#include "rafter_simt/api/launch.hpp"

namespace rafter_simt {

/// Returns the kernel's address and registers its type, so that it can later be launched by the address alone.
template <class Kernel>
const void* kernel_address(Kernel* kernel) {
  if constexpr (std::is_function_v<Kernel>) know_kernel(kernel);
  return (const void*)kernel;
}

template <class Kernel, class SharedBytes>
cudaError_t best_block(int* grid_blocks, int* block_threads, Kernel kernel, SharedBytes shared_bytes, int limit) {
  if (grid_blocks == nullptr || block_threads == nullptr) return cudaErrorInvalidValue;
  int multiprocessors = 0, most_threads = 0;
  cudaError_t error = cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0);
  if (error == cudaSuccess) error = cudaDeviceGetAttribute(&most_threads, cudaDevAttrMaxThreadsPerBlock, 0);
  if (limit > 0 && limit < most_threads) most_threads = limit;
  *grid_blocks = *block_threads = 0;
  int best_resident = 0;
  // Starts with the largest block: among block sizes that fill a multiprocessor equally, the larger wins.
  for (int threads = most_threads; error == cudaSuccess && threads > 0; threads = (threads - 1) / 32 * 32) {
    int blocks = 0;
    error =
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel_address(kernel), threads, shared_bytes(threads));
    if (blocks * threads <= best_resident) continue;
    best_resident = blocks * threads;
    *block_threads = threads;
    *grid_blocks = blocks * multiprocessors;
  }
  return error;
}

}  // namespace rafter_simt

template <class Kernel>
cudaError_t cudaFuncSetAttribute(Kernel* kernel, cudaFuncAttribute attribute, int value) {
  return cudaFuncSetAttribute(rafter_simt::kernel_address(kernel), attribute, value);
}

template <class Kernel>
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, Kernel* kernel) {
  return cudaFuncGetAttributes(attributes, rafter_simt::kernel_address(kernel));
}

template <class Kernel>
cudaError_t cudaFuncSetCacheConfig(Kernel* kernel, cudaFuncCache config) {
  return cudaFuncSetCacheConfig(rafter_simt::kernel_address(kernel), config);
}

template <class Kernel>
cudaError_t cudaFuncSetSharedMemConfig(Kernel* kernel, cudaSharedMemConfig config) {
  return cudaFuncSetSharedMemConfig(rafter_simt::kernel_address(kernel), config);
}

template <class Kernel>
cudaError_t cudaFuncGetName(const char** name, Kernel* kernel) {
  return cudaFuncGetName(name, rafter_simt::kernel_address(kernel));
}

template <class Kernel>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, Kernel* kernel, int block_threads,
                                                          std::size_t shared_bytes) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, rafter_simt::kernel_address(kernel), block_threads,
                                                       shared_bytes);
}

template <class Kernel>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, Kernel* kernel, int block_threads,
                                                                   std::size_t shared_bytes, unsigned flags) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, rafter_simt::kernel_address(kernel),
                                                                block_threads, shared_bytes, flags);
}

template <class Kernel>
cudaError_t cudaOccupancyMaxActiveClusters(int* clusters, Kernel* kernel, const cudaLaunchConfig_t* config) {
  return cudaOccupancyMaxActiveClusters(clusters, rafter_simt::kernel_address(kernel), config);
}

template <class Kernel>
cudaError_t cudaOccupancyMaxPotentialClusterSize(int* size, Kernel* kernel, const cudaLaunchConfig_t* config) {
  return cudaOccupancyMaxPotentialClusterSize(size, rafter_simt::kernel_address(kernel), config);
}

template <class Kernel>
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(std::size_t* shared_bytes, Kernel* kernel, int blocks,
                                                      int block_threads) {
  return cudaOccupancyAvailableDynamicSMemPerBlock(shared_bytes, rafter_simt::kernel_address(kernel), blocks,
                                                   block_threads);
}

template <class Kernel, class SharedBytes>
cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(int* grid_blocks, int* block_threads, Kernel kernel,
                                                                    SharedBytes shared_bytes, int limit = 0,
                                                                    unsigned = 0) {
  return rafter_simt::best_block(grid_blocks, block_threads, kernel, shared_bytes, limit);
}

template <class Kernel, class SharedBytes>
cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int* grid_blocks, int* block_threads, Kernel kernel,
                                                           SharedBytes shared_bytes, int limit = 0) {
  return rafter_simt::best_block(grid_blocks, block_threads, kernel, shared_bytes, limit);
}

template <class Kernel>
cudaError_t cudaOccupancyMaxPotentialBlockSize(int* grid_blocks, int* block_threads, Kernel kernel,
                                               std::size_t shared_bytes = 0, int limit = 0) {
  return rafter_simt::best_block(
      grid_blocks, block_threads, kernel, [=](int) { return shared_bytes; }, limit);
}

template <class Kernel>
cudaError_t cudaOccupancyMaxPotentialBlockSizeWithFlags(int* grid_blocks, int* block_threads, Kernel kernel,
                                                        std::size_t shared_bytes = 0, int limit = 0, unsigned = 0) {
  return cudaOccupancyMaxPotentialBlockSize(grid_blocks, block_threads, kernel, shared_bytes, limit);
}
