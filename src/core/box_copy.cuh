// Copies of boxes of a 3-D array into shared memory, made by hardware while all threads do something else. From compute
// capability 9.0 on.
#pragma once

#include <cstdint>
#include <limits>

#include "core/launch.cuh"
#ifndef RAFTER_SIMT
#include <cuda.h>
#endif

namespace rafter::core {
inline namespace RAFTER_BACKEND {

/// An array of T, [nz, ny, nx], and the boxes that are copied from it, [box_z, box_y, box_x]. Kernels take it as
/// a `const __grid_constant__` parameter.
template <class T>
struct BoxSource {
#ifdef RAFTER_SIMT
  const T* data;
  std::int64_t nz, ny, nx;
  int box_z, box_y, box_x;
#else
  CUtensorMap map;
#endif
};

/// Rows and columns on each side of a box that nobody uses: others may be writing them while it is copied.
struct BoxRim {
  int y = 0;
  int x = 0;
};

/// Waits for threads that arrive, and for the bytes of boxes; in shared memory. It is used again and again: first for
/// phase 0, then 1, 0, ...
struct alignas(8) BoxBarrier {
  unsigned long long state;
#ifdef RAFTER_SIMT
  int bytes_to_come;
#endif
};

/// Whether this GPU has them.
inline bool has_box_barriers() {
#ifdef RAFTER_SIMT
  return true;
#else
  return capability_major() >= 9;
#endif
}

/// Whether this GPU copies boxes from arrays whose rows have nx elements: rows and array are aligned to 16 bytes.
template <class T>
bool can_copy_boxes(const T* data, std::int64_t nx) {
  const bool aligned =
      reinterpret_cast<std::uintptr_t>(data) % 16 == 0 && nx * static_cast<std::int64_t>(sizeof(T)) % 16 == 0;
  return aligned && has_box_barriers();
}

#ifdef RAFTER_SIMT

template <class T>
BoxSource<T> box_source(const T* data, std::int64_t nz, std::int64_t ny, std::int64_t nx, int box_z, int box_y,
                        int box_x) {
  return {data, nz, ny, nx, box_z, box_y, box_x};
}

// Boxes are copied at once, by the thread that starts them. A barrier counts who came; above the count is how many make
// a phase.
__device__ inline void init_box_barrier(BoxBarrier& barrier, int n_arrivals) {
  barrier.state = static_cast<unsigned long long>(n_arrivals) << 32;
  barrier.bytes_to_come = 0;
}
__device__ inline void publish_before_boxes() {}
__device__ inline void order_before_boxes() {}
__device__ inline void finish_reads_before_boxes() {}

__device__ inline void arrive(BoxBarrier& barrier, int n) {
  __threadfence_block();
  atomicAdd(&barrier.state, static_cast<unsigned long long>(n));
}

__device__ inline void wait_for_boxes(BoxBarrier& barrier, int phase) {
  const volatile unsigned long long& state = barrier.state;
  const auto is_over = [&] {
    const unsigned long long now = state;
    return static_cast<int>((now & 0xffffffffu) / (now >> 32) % 2) != phase;
  };
  if (threadIdx.x % 32 == 0) {
    while (!is_over()) __nanosleep(1);  // lets others run
  }
  __syncwarp();
}

__device__ inline void expect_boxes(BoxBarrier& barrier, int bytes) { barrier.bytes_to_come += bytes; }

template <class T>
__device__ void start_box_copy(T* shared, const BoxSource<T>& source, int z, int y, int x, BoxBarrier& barrier,
                               const BoxRim& unused = {}) {
  for (int k = 0; k < source.box_z; ++k) {
    for (int j = 0; j < source.box_y; ++j) {
      const bool row_is_there = z + k >= 0 && z + k < source.nz && y + j >= 0 && y + j < source.ny;
      const bool row_is_used = j >= unused.y && j < source.box_y - unused.y;
      const std::int64_t row = ((z + k) * source.ny + y + j) * source.nx;
      for (int i = 0; i < source.box_x; ++i) {
        const bool is_used = row_is_used && i >= unused.x && i < source.box_x - unused.x;
        const bool is_there = row_is_there && x + i >= 0 && x + i < source.nx;
        *shared++ = !is_used ? std::numeric_limits<T>::quiet_NaN() : is_there ? source.data[row + x + i] : T{0};
      }
    }
  }
  barrier.bytes_to_come -= source.box_z * source.box_y * source.box_x * static_cast<int>(sizeof(T));
  if (barrier.bytes_to_come == 0) arrive(barrier, 1);
}

#else

using EncodeTiled = CUresult (*)(CUtensorMap*, CUtensorMapDataType, cuuint32_t, void*, const cuuint64_t*,
                                 const cuuint64_t*, const cuuint32_t*, const cuuint32_t*, CUtensorMapInterleave,
                                 CUtensorMapSwizzle, CUtensorMapL2promotion, CUtensorMapFloatOOBfill);

/// The driver's function, found when first needed.
inline EncodeTiled encode_tiled() {
  static const EncodeTiled function = [] {
    void* found = nullptr;
    cudaDriverEntryPointQueryResult status{};
    check(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &found, 12000, cudaEnableDefault, &status),
          "cudaGetDriverEntryPointByVersion");
    if (found == nullptr) throw Error(ErrorCode::unsupported, "this driver has no cuTensorMapEncodeTiled");
    return reinterpret_cast<EncodeTiled>(found);
  }();
  return function;
}

template <class T>
BoxSource<T> box_source(const T* data, std::int64_t nz, std::int64_t ny, std::int64_t nx, int box_z, int box_y,
                        int box_x) {
  const auto row_bytes = static_cast<cuuint64_t>(nx) * sizeof(T);
  const cuuint64_t extents[3] = {static_cast<cuuint64_t>(nx), static_cast<cuuint64_t>(ny), static_cast<cuuint64_t>(nz)};
  const cuuint64_t strides[2] = {row_bytes, row_bytes * static_cast<cuuint64_t>(ny)};
  const cuuint32_t box[3] = {static_cast<cuuint32_t>(box_x), static_cast<cuuint32_t>(box_y),
                             static_cast<cuuint32_t>(box_z)};
  const cuuint32_t steps[3] = {1, 1, 1};
  BoxSource<T> source{};
  const CUresult status =
      encode_tiled()(&source.map, sizeof(T) == 8 ? CU_TENSOR_MAP_DATA_TYPE_FLOAT64 : CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 3,
                     const_cast<T*>(data), extents, strides, box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE,
                     CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_L2_256B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  if (status != CUDA_SUCCESS)
    throw Error(ErrorCode::device_failure, "cuTensorMapEncodeTiled failed with error " + std::to_string(status));
  return source;
}

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
#define RAFTER_BOX_ASM(...) asm volatile(__VA_ARGS__)
#else
#define RAFTER_BOX_ASM(...) __trap()
#endif

__device__ inline unsigned shared_address(const void* shared) {
  return static_cast<unsigned>(__cvta_generic_to_shared(shared));
}

/// For phases of so many arrivals. One thread calls; then publish_before_boxes() and a
/// barrier of the block.
__device__ inline void init_box_barrier(BoxBarrier& barrier, int n_arrivals) {
  RAFTER_BOX_ASM("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(&barrier)), "r"(n_arrivals) : "memory");
}

/// What this thread wrote to shared memory comes before boxes that are started after the next barrier.
__device__ inline void publish_before_boxes() {
  RAFTER_BOX_ASM("fence.mbarrier_init.release.cluster; fence.proxy.async.shared::cta;" ::: "memory");
}

/// What this thread knows to be written to the array comes before boxes that it starts, or others after a barrier.
__device__ inline void order_before_boxes() { RAFTER_BOX_ASM("fence.proxy.async.global;" ::: "memory"); }

/// What this thread reads from shared memory is read before boxes that others start after it has arrived somewhere.
/// Without it a read may still be on its way: behind stores that memory has no room for, for longer than a copy takes.
__device__ inline void finish_reads_before_boxes() { RAFTER_BOX_ASM("fence.proxy.async.shared::cta;" ::: "memory"); }

/// As n threads that have come: what this thread did is seen by those who wait.
__device__ inline void arrive(BoxBarrier& barrier, int n) {
  RAFTER_BOX_ASM("mbarrier.arrive.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(&barrier)), "r"(n) : "memory");
}

/// As one that arrives, when so many bytes have come.
__device__ inline void expect_boxes(BoxBarrier& barrier, int bytes) {
  RAFTER_BOX_ASM("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(&barrier)), "r"(bytes)
                 : "memory");
}

/// Starts to copy the box at (z, y, x) to `shared`, which is aligned to 128 bytes; its bytes are expected. What is
/// outside the array comes as zeros. The thread that expects them calls.
template <class T>
__device__ void start_box_copy(T* shared, const BoxSource<T>& source, int z, int y, int x, BoxBarrier& barrier,
                               const BoxRim& /*unused*/ = {}) {
  RAFTER_BOX_ASM(
      "cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3, %4}], [%5];" ::
          "r"(shared_address(shared)),
      "l"(&source.map), "r"(x), "r"(y), "r"(z), "r"(shared_address(&barrier))
      : "memory");
}

/// Waits until a phase is over. Whole warps call.
__device__ inline void wait_for_boxes(BoxBarrier& barrier, int phase) {
  RAFTER_BOX_ASM(
      "{\n"
      ".reg .pred there;\n"
      "again:\n"
      "mbarrier.try_wait.parity.shared::cta.b64 there, [%0], %1;\n"
      "@!there bra again;\n"
      "}\n" ::"r"(shared_address(&barrier)),
      "r"(phase)
      : "memory");
}

#undef RAFTER_BOX_ASM
#endif

}  // namespace RAFTER_BACKEND
}  // namespace rafter::core
