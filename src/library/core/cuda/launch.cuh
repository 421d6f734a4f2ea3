// Kernel launches: every kernel of the library is launched here.
#pragma once

#include <cstdint>
#include <source_location>
#include <string>
#include <type_traits>

#include "library/core/arithmetic.hpp"
#include "library/ptx/device_build.cuh"
#include "rafter/error.hpp"
#include "rafter/stream.hpp"
#ifdef RAFTER_SIMT
// In a program with both the executor and a GPU, CUDA's own names are the GPU's.
extern "C" {
void rafter_simt_copy(void* to, const void* from, std::size_t bytes);
void rafter_simt_fill(void* to, int byte, std::size_t bytes);
bool rafter_simt_allow_shared(const void* kernel, int bytes);
int rafter_simt_capability();
int rafter_simt_shared_bytes_per_sm();
}
#else
#include "library/core/stream/cuda_check.hpp"
#endif

namespace rafter::core {
inline namespace RAFTER_BACKEND {

/// The grid of a launch; converts from a number of blocks. Throws Error (unsupported) when a grid cannot have that
/// many.
struct Grid {
  dim3 blocks;
  Grid(dim3 grid) : blocks(grid) {}
  Grid(std::int64_t n_blocks) : blocks(static_cast<unsigned>(n_blocks)) {
    if (n_blocks < 0 || n_blocks > 0x7fffffff) {
      throw Error(ErrorCode::unsupported,
                  "this kernel needs " + std::to_string(n_blocks) + " blocks, but a grid has at most 2147483647");
    }
  }
};

#ifdef RAFTER_SIMT
inline rafter_simt::Shape simt_shape(const Grid& grid, dim3 block, std::int64_t shared_bytes, const Stream& stream) {
  return {grid.blocks, block, static_cast<std::size_t>(shared_bytes), stream.handle()};
}

template <class... Params>
void launch_simt(void (*kernel)(Params...), const rafter_simt::Shape& shape, rafter_simt::Cooperative cooperative,
                 std::type_identity_t<Params>... args) {
  const char* name = rafter_simt_kernel_name(reinterpret_cast<const void*>(kernel));
  const int status = rafter_simt::launch(
      name, shape, [=] { kernel(args...); }, cooperative);
  if (status != 0) {
    throw Error(ErrorCode::device_failure,
                std::string("launch of ") + name + " failed on the executor with CUDA error " + std::to_string(status));
  }
}
#endif

/// Enqueues `kernel(args...)` on `stream`. Throws Error with the kernel's name if the launch fails. An empty grid is a
/// no-op.
template <class... Params>
void launch(void (*kernel)(Params...), Grid grid, dim3 block, std::int64_t shared_bytes, const Stream& stream,
            std::type_identity_t<Params>... args) {
  if (grid.blocks.x == 0 || grid.blocks.y == 0 || grid.blocks.z == 0) return;
#ifdef RAFTER_SIMT
  launch_simt(kernel, simt_shape(grid, block, shared_bytes, stream), rafter_simt::Cooperative::no, args...);
#else
  // clang-format 14 splits the brackets after #else.
  // clang-format off
  kernel<<<grid.blocks, block, static_cast<std::size_t>(shared_bytes), stream.handle()>>>(args...);
  // clang-format on
  check_launch(reinterpret_cast<const void*>(kernel), std::source_location::current());
#endif
}

#ifndef RAFTER_SIMT
/// Returns an attribute of the current GPU.
inline int device_attribute(cudaDeviceAttr which) {
  int device = 0;
  int value = 0;
  check(cudaGetDevice(&device), "cudaGetDevice");
  check(cudaDeviceGetAttribute(&value, which, device), "cudaDeviceGetAttribute");
  return value;
}
#endif

/// Launches cooperatively: all blocks run concurrently, so they may wait for each other. A grid that does not fit is
/// rejected.
template <class... Params>
void launch_cooperative(void (*kernel)(Params...), Grid grid, dim3 block, std::int64_t shared_bytes,
                        const Stream& stream, std::type_identity_t<Params>... args) {
#ifdef RAFTER_SIMT
  launch_simt(kernel, simt_shape(grid, block, shared_bytes, stream), rafter_simt::Cooperative::yes, args...);
#else
  cudaLaunchAttribute cooperative{};
  cooperative.id = cudaLaunchAttributeCooperative;
  cooperative.val.cooperative = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = grid.blocks;
  config.blockDim = block;
  config.dynamicSmemBytes = static_cast<std::size_t>(shared_bytes);
  config.stream = stream.handle();
  config.attrs = &cooperative;
  config.numAttrs = 1;
  static_cast<void>(cudaLaunchKernelEx(&config, kernel, args...));
  check_launch(reinterpret_cast<const void*>(kernel), std::source_location::current());
#endif
}

/// Launches in clusters of `cluster` blocks along x (at most 8; the grid must be divisible by it); see
/// library/ptx/cluster.cuh.
template <class... Params>
void launch_clusters(void (*kernel)(Params...), Grid grid, int cluster, dim3 block, std::int64_t shared_bytes,
                     const Stream& stream, std::type_identity_t<Params>... args) {
#ifdef RAFTER_SIMT
  rafter_simt::Shape shape = simt_shape(grid, block, shared_bytes, stream);
  shape.cluster = dim3(static_cast<unsigned>(cluster));
  launch_simt(kernel, shape, rafter_simt::Cooperative::no, args...);
#else
  cudaLaunchAttribute clusters{};
  clusters.id = cudaLaunchAttributeClusterDimension;
  clusters.val.clusterDim = {static_cast<unsigned>(cluster), 1, 1};
  cudaLaunchConfig_t config{};
  config.gridDim = grid.blocks;
  config.blockDim = block;
  config.dynamicSmemBytes = static_cast<std::size_t>(shared_bytes);
  config.stream = stream.handle();
  config.attrs = &clusters;
  config.numAttrs = 1;
  static_cast<void>(cudaLaunchKernelEx(&config, kernel, args...));
  check_launch(reinterpret_cast<const void*>(kernel), std::source_location::current());
#endif
}

/// Allows `kernel` to use that much dynamic shared memory; above 48 KiB CUDA requires this opt-in.
template <class... Params>
void allow_shared(void (*kernel)(Params...), std::int64_t shared_bytes) {
  constexpr std::int64_t always_allowed = 48 << 10;
  if (shared_bytes <= always_allowed) return;
  const auto bytes = static_cast<int>(shared_bytes);
#ifdef RAFTER_SIMT
  const bool allowed = rafter_simt_allow_shared(reinterpret_cast<const void*>(kernel), bytes);
#else
  const cudaError_t status = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  const bool allowed = status == cudaSuccess;
  check_noexcept(status);
#endif
  if (!allowed) {
    throw Error(ErrorCode::unsupported,
                "this GPU cannot give a block " + std::to_string(shared_bytes) + " bytes of shared memory");
  }
}

/// Returns the number of blocks of `kernel` that run concurrently on the current GPU: the grid size for persistent
/// blocks.
template <class... Params>
std::int64_t resident_blocks([[maybe_unused]] void (*kernel)(Params...), [[maybe_unused]] int threads,
                             [[maybe_unused]] std::int64_t shared_bytes) {
#ifdef RAFTER_SIMT
  return 3;  // few, so that each block iterates several times
#else
  int per_multiprocessor = 0;
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_multiprocessor, kernel, threads,
                                                      static_cast<std::size_t>(shared_bytes)),
        "cudaOccupancyMaxActiveBlocksPerMultiprocessor");
  return std::int64_t{per_multiprocessor} * device_attribute(cudaDevAttrMultiProcessorCount);
#endif
}

/// Returns the number of clusters of `cluster` blocks that run concurrently on the current GPU; see launch_clusters().
template <class... Params>
std::int64_t resident_clusters([[maybe_unused]] void (*kernel)(Params...), [[maybe_unused]] int cluster,
                               [[maybe_unused]] int threads, [[maybe_unused]] std::int64_t shared_bytes) {
#ifdef RAFTER_SIMT
  return 1;  // few, so that each block iterates several times
#else
  cudaLaunchAttribute clusters{};
  clusters.id = cudaLaunchAttributeClusterDimension;
  clusters.val.clusterDim = {static_cast<unsigned>(cluster), 1, 1};
  cudaLaunchConfig_t config{};
  config.gridDim = static_cast<unsigned>(cluster);
  config.blockDim = static_cast<unsigned>(threads);
  config.dynamicSmemBytes = static_cast<std::size_t>(shared_bytes);
  config.attrs = &clusters;
  config.numAttrs = 1;
  int n_clusters = 0;
  check(cudaOccupancyMaxActiveClusters(&n_clusters, kernel, &config), "cudaOccupancyMaxActiveClusters");
  return n_clusters;
#endif
}

/// Returns the most shared memory that a block can have on the current GPU.
inline std::int64_t most_shared_bytes() {
#ifdef RAFTER_SIMT
  return 227 << 10;  // as on an H200
#else
  return device_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin);
#endif
}

/// Returns the shared memory of a multiprocessor of the current GPU, shared by its blocks.
inline std::int64_t shared_bytes_per_sm() {
#ifdef RAFTER_SIMT
  return rafter_simt_shared_bytes_per_sm();
#else
  return device_attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor);
#endif
}

/// Enqueues the zeroing of `bytes` of device memory.
inline void clear([[maybe_unused]] const Stream& stream, void* memory, std::int64_t bytes) {
  if (bytes == 0) return;
#ifdef RAFTER_SIMT
  rafter_simt_fill(memory, 0, static_cast<std::size_t>(bytes));
#else
  check(cudaMemsetAsync(memory, 0, static_cast<std::size_t>(bytes), stream.handle()), "cudaMemsetAsync");
#endif
}

/// Enqueues a copy of device memory to the start of a __constant__ variable. All streams share the variable; the caller
/// must not set it concurrently.
template <class Symbol>
void set_constant([[maybe_unused]] const Stream& stream, const Symbol& symbol, const void* from, std::int64_t bytes) {
#ifdef RAFTER_SIMT
  rafter_simt_copy(const_cast<void*>(static_cast<const void*>(&symbol)), from, static_cast<std::size_t>(bytes));
#else
  check(cudaMemcpyToSymbolAsync(symbol, from, static_cast<std::size_t>(bytes), 0, cudaMemcpyDeviceToDevice,
                                stream.handle()),
        "cudaMemcpyToSymbolAsync");
#endif
}

}  // namespace RAFTER_BACKEND
}  // namespace rafter::core
