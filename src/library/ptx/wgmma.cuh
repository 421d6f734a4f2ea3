// wgmma: asynchronous matrix products of a warpgroup: four warps, of which the first has a number divisible by four.
// Compute capability 9.0 only (target sm_90a).
//
//   wgmma_fence(d);                      // orders register accesses before the products
//   wgmma<64, __half>(d, a, b, ...);     // d[64 rows, 64 columns] = a b (+ d); any number of them
//   wgmma_commit();
//   wgmma_wait<0>(d);                    // until then do not access d, nor write the memory of a and b
//
// Fragment layout of d: thread t of the warpgroup holds, with g = t % 32 / 4, for each group c of eight columns,
//   d[4 c], d[4 c + 1]:      row 16 (t / 32) + g,      columns 8 c + 2 (t % 4) and the next
//   d[4 c + 2], d[4 c + 3]:  row 16 (t / 32) + g + 8
// a (64 rows, K) and b (K, columns) are in shared memory, with K = 16 elements of half or bfloat16, 8 of tf32, 32 of
// fp8; a may be in registers instead, with the fragment layout of mma_m16n8k16. Shared memory is read through the async
// proxy: writes of threads to it need fence_proxy_async_shared() and a barrier.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include <cstdint>
#include <type_traits>

#include "library/ptx/tensor_map.cuh"
#include "library/ptx/wgmma_shapes.cuh"

namespace rafter::ptx {
inline namespace RAFTER_BACKEND {

/// The index that is contiguous in shared memory: k, or the row of a and the column of b. 16-bit types support both,
/// others only k.
enum class Major : int { k, mn };

/// A tag for tf32 elements: floats of which the upper 19 bits are read.
struct tf32 {};

/// A matrix in shared memory, in pieces of 8 rows (rows of k, or of m or n) as wide as its swizzle, laid out as by a
/// TMA copy with that swizzle. Offsets are bytes.
///   k major:  `stride` from 8 rows to the next 8; `leading` is not used
///   mn major: `stride` from 8 k to the next 8; `leading` from one swizzle's width of m or n to the next
/// Without a swizzle pieces are 8 rows of 16 bytes: `leading` is the offset between pieces along k, `stride` along m or
/// n.
struct MatrixDescriptor {
#ifdef RAFTER_SIMT
  rafter_simt::MatrixDescriptor value;
#else
  std::uint64_t value;
#endif
};

__device__ __forceinline__ MatrixDescriptor matrix_descriptor(const void* shared, Swizzle swizzle, int leading,
                                                              int stride) {
#ifdef RAFTER_SIMT
  return {{shared, static_cast<int>(swizzle), leading, stride}};
#else
  const std::uint64_t mode = swizzle == Swizzle::none        ? 0
                             : swizzle == Swizzle::bytes_128 ? 1
                             : swizzle == Swizzle::bytes_64  ? 2
                                                             : 3;
  const auto field = [](int bytes) { return static_cast<std::uint64_t>(bytes >> 4 & 0x3fff); };
  return {field(static_cast<int>(shared_address(shared))) | field(leading) << 16 | field(stride) << 32 | mode << 62};
#endif
}

/// Returns the descriptor `bytes` (a multiple of 16) further on: the next k within a swizzle's width.
__device__ __forceinline__ MatrixDescriptor advanced(MatrixDescriptor matrix, int bytes) {
#ifdef RAFTER_SIMT
  matrix.value.at = static_cast<const char*>(matrix.value.at) + bytes;
#else
  matrix.value += static_cast<std::uint64_t>(bytes >> 4);
#endif
  return matrix;
}

/// Whether products are added to d.
enum class Accumulate : int { no, yes };

/// Orders register accesses of the warpgroup before the products started later. Required before the first products and
/// after every access to d or to an a in registers.
template <int N>
__device__ __forceinline__ void wgmma_fence([[maybe_unused]] float (&d)[N]) {
#ifdef RAFTER_SIMT
  rafter_simt_wgmma_fence();
#else
#pragma unroll
  for (int i = 0; i < N; ++i) asm volatile("" : "+f"(d[i])::"memory");  // no write moves past the fence
  RAFTER_PTX_90A("wgmma.fence.sync.aligned;" ::: "memory");
#endif
}

/// Commits a group: the products started since the previous group.
__device__ __forceinline__ void wgmma_commit() {
#ifdef RAFTER_SIMT
  rafter_simt_wgmma_commit();
#else
  RAFTER_PTX_90A("wgmma.commit_group.sync.aligned;" ::: "memory");
#endif
}

/// Waits for all groups except the last `Later`. A d that belongs to the completed groups may then be read.
template <int Later, int N>
__device__ __forceinline__ void wgmma_wait([[maybe_unused]] float (&d)[N]) {
#ifdef RAFTER_SIMT
  rafter_simt_wgmma_wait(Later);
#else
  RAFTER_PTX_90A("wgmma.wait_group.sync.aligned %0;" ::"n"(Later) : "memory");
#pragma unroll
  for (int i = 0; i < N; ++i) asm volatile("" : "+f"(d[i])::"memory");  // no read moves before the wait
#endif
}

#ifdef RAFTER_SIMT
template <class T>
constexpr rafter_simt::MmaType mma_type() {
  return std::is_same_v<T, __half>          ? rafter_simt::MmaType::half
         : std::is_same_v<T, __nv_bfloat16> ? rafter_simt::MmaType::bfloat16
         : std::is_same_v<T, tf32>          ? rafter_simt::MmaType::tf32
         : std::is_same_v<T, __nv_fp8_e4m3> ? rafter_simt::MmaType::e4m3
                                            : rafter_simt::MmaType::e5m2;
}
#else
#define RAFTER_WGMMA_LIST(...) __VA_ARGS__
#define RAFTER_WGMMA_BEGIN(S) "{\n.reg .pred adds;\nsetp.ne.b32 adds, " S ", 0;\n"
#define RAFTER_WGMMA_INSTRUCTION(N, KIND) "wgmma.mma_async.sync.aligned.m64n" #N KIND
// 16-bit types have operands for the contiguous index; for others it is k.
#define RAFTER_WGMMA_SHARED_16(N, NAMES, D, A, B, S, TA, TB, TYPE, KIND)                                        \
  if constexpr (Columns == N && std::is_same_v<T, TYPE>)                                                        \
    RAFTER_PTX_90A(RAFTER_WGMMA_BEGIN(S) RAFTER_WGMMA_INSTRUCTION(N, KIND) " {" NAMES "}, " A ", " B            \
                                                                           ", adds, 1, 1, " TA ", " TB ";\n}\n" \
                   : RAFTER_WGMMA_LIST D                                                                        \
                   : "l"(a.value), "l"(b.value), "r"(adds), "n"(static_cast<int>(MajorA)),                      \
                     "n"(static_cast<int>(MajorB)));
#define RAFTER_WGMMA_SHARED_K(N, NAMES, D, A, B, S, TYPE, KIND)                                      \
  if constexpr (Columns == N && std::is_same_v<T, TYPE>)                                             \
    RAFTER_PTX_90A(RAFTER_WGMMA_BEGIN(S) RAFTER_WGMMA_INSTRUCTION(N, KIND) " {" NAMES "}, " A ", " B \
                                                                           ", adds, 1, 1;\n}\n"      \
                   : RAFTER_WGMMA_LIST D                                                             \
                   : "l"(a.value), "l"(b.value), "r"(adds));
#define RAFTER_WGMMA_SHARED(N, NAMES, D, A, B, S, TA, TB, UNUSED)                          \
  RAFTER_WGMMA_SHARED_16(N, NAMES, D, A, B, S, TA, TB, __half, "k16.f32.f16.f16")          \
  RAFTER_WGMMA_SHARED_16(N, NAMES, D, A, B, S, TA, TB, __nv_bfloat16, "k16.f32.bf16.bf16") \
  RAFTER_WGMMA_SHARED_K(N, NAMES, D, A, B, S, tf32, "k8.f32.tf32.tf32")                    \
  RAFTER_WGMMA_SHARED_K(N, NAMES, D, A, B, S, __nv_fp8_e4m3, "k32.f32.e4m3.e4m3")          \
  RAFTER_WGMMA_SHARED_K(N, NAMES, D, A, B, S, __nv_fp8_e5m2, "k32.f32.e5m2.e5m2")
#endif

/// Computes d = a b or d += a b. Columns is 8, 16, ..., 256; T is __half, __nv_bfloat16, tf32, __nv_fp8_e4m3 or
/// __nv_fp8_e5m2. All threads of the warpgroup must call it.
template <int Columns, class T, Major MajorA = Major::k, Major MajorB = Major::k>
__device__ __forceinline__ void wgmma(float (&d)[Columns / 2], const MatrixDescriptor& a, const MatrixDescriptor& b,
                                      Accumulate accumulate) {
  static_assert(Columns % 8 == 0 && Columns >= 8 && Columns <= 256);
  constexpr bool is_16_bit = std::is_same_v<T, __half> || std::is_same_v<T, __nv_bfloat16>;
  static_assert(is_16_bit || (MajorA == Major::k && MajorB == Major::k));
  [[maybe_unused]] const int adds = static_cast<int>(accumulate);
#ifdef RAFTER_SIMT
  rafter_simt_wgmma(mma_type<T>(), Columns, d, nullptr, &a.value, static_cast<int>(MajorA), &b.value,
                    static_cast<int>(MajorB), adds);
#else
  RAFTER_WGMMA_SHAPES(RAFTER_WGMMA_SHARED)
#endif
}

#ifndef RAFTER_SIMT
#undef RAFTER_WGMMA_SHARED
#undef RAFTER_WGMMA_SHARED_K
#undef RAFTER_WGMMA_SHARED_16
#define RAFTER_WGMMA_REGISTERS_OF(N, NAMES, D, A0, A1, A2, A3, B, S, TYPE, KIND, ENDING)                            \
  if constexpr (Columns == N && std::is_same_v<T, TYPE>)                                                            \
    RAFTER_PTX_90A(RAFTER_WGMMA_BEGIN(S) RAFTER_WGMMA_INSTRUCTION(                                                  \
                       N, KIND) " {" NAMES "}, {" A0 ", " A1 ", " A2 ", " A3 "}, " B ", adds, 1, 1" ENDING ";\n}\n" \
                   : RAFTER_WGMMA_LIST D                                                                            \
                   : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b.value), "r"(adds));
#define RAFTER_WGMMA_REGISTERS(N, NAMES, D, A0, A1, A2, A3, B, S)                                         \
  RAFTER_WGMMA_REGISTERS_OF(N, NAMES, D, A0, A1, A2, A3, B, S, __half, "k16.f32.f16.f16", ", 0")          \
  RAFTER_WGMMA_REGISTERS_OF(N, NAMES, D, A0, A1, A2, A3, B, S, __nv_bfloat16, "k16.f32.bf16.bf16", ", 0") \
  RAFTER_WGMMA_REGISTERS_OF(N, NAMES, D, A0, A1, A2, A3, B, S, tf32, "k8.f32.tf32.tf32", "")              \
  RAFTER_WGMMA_REGISTERS_OF(N, NAMES, D, A0, A1, A2, A3, B, S, __nv_fp8_e4m3, "k32.f32.e4m3.e4m3", "")    \
  RAFTER_WGMMA_REGISTERS_OF(N, NAMES, D, A0, A1, A2, A3, B, S, __nv_fp8_e5m2, "k32.f32.e5m2.e5m2", "")
#endif

/// Computes the product with this warp's 16 rows of a in registers, with the fragment layout of mma_m16n8k16 (tf32:
/// mma_m16n8k8_tf32; fp8: four elements per register, the same bytes), and b k major.
template <int Columns, class T>
__device__ __forceinline__ void wgmma(float (&d)[Columns / 2], const unsigned (&a)[4], const MatrixDescriptor& b,
                                      Accumulate accumulate) {
  static_assert(Columns % 8 == 0 && Columns >= 8 && Columns <= 256);
  [[maybe_unused]] const int adds = static_cast<int>(accumulate);
#ifdef RAFTER_SIMT
  rafter_simt_wgmma(mma_type<T>(), Columns, d, a, nullptr, 0, &b.value, 0, adds);
#else
  RAFTER_WGMMA_SHAPES(RAFTER_WGMMA_REGISTERS)
#endif
}

#ifndef RAFTER_SIMT
#undef RAFTER_WGMMA_REGISTERS
#undef RAFTER_WGMMA_REGISTERS_OF
#undef RAFTER_WGMMA_INSTRUCTION
#undef RAFTER_WGMMA_BEGIN
#undef RAFTER_WGMMA_LIST
#endif

}  // namespace RAFTER_BACKEND
}  // namespace rafter::ptx
