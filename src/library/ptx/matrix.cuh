// Matrix instructions of a warp: ldmatrix and stmatrix between shared memory and fragments, and mma.sync on fragments.
//
// A fragment is the part of a matrix that each of the 32 lanes holds. With g = lane / 4 and t = lane % 4, in 32-bit
// registers:
//
//   m16n8k16 (half, bfloat16, two elements per register, the lower half first)
//     A 16 x 16  a[0]: row g,     k 2t, 2t+1        a[2]: row g,     k 2t+8, 2t+9
//                a[1]: row g + 8, k 2t, 2t+1        a[3]: row g + 8, k 2t+8, 2t+9
//     B 16 x 8   b[0]: k 2t, 2t+1,     column g     b[1]: k 2t+8, 2t+9, column g
//   m16n8k8 (tf32)
//     A 16 x 8   a[0]: row g, k t     a[1]: row g + 8, k t     a[2]: row g, k t+4     a[3]: row g + 8, k t+4
//     B 8 x 8    b[0]: k t,   column g                         b[1]: k t+4, column g
//   C and D of both, 16 x 8, in float
//                d[0], d[1]: row g, columns 2t, 2t+1           d[2], d[3]: row g + 8
//
// All 32 lanes must call these functions. Compute capability 8.0 and later (stmatrix: 9.0).
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <type_traits>

#include "library/ptx/target.cuh"

namespace rafter::ptx {
inline namespace RAFTER_BACKEND {

/// Whether a load exchanges rows and columns.
enum class Transposed : int { no, yes };

/// Loads N (1, 2 or 4) matrices of 8 x 8 elements of 16 bits. Lane 8 i + r passes the address of row r of matrix i, 16
/// bytes at a multiple of 16. Register i receives two elements: row g, columns 2t and 2t + 1 (transposed: rows 2t and
/// 2t + 1, column g).
template <int N, Transposed Way = Transposed::no>
__device__ __forceinline__ void ldmatrix(unsigned (&to)[N], const void* row) {
  static_assert(N == 1 || N == 2 || N == 4);
#ifdef RAFTER_SIMT
  rafter_simt_ldmatrix(to, N, row, static_cast<int>(Way));
#else
  const auto from = static_cast<unsigned>(__cvta_generic_to_shared(row));
  constexpr bool transposed = Way == Transposed::yes;
  if constexpr (N == 1 && !transposed)
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(to[0]) : "r"(from) : "memory");
  if constexpr (N == 1 && transposed)
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%0}, [%1];" : "=r"(to[0]) : "r"(from) : "memory");
  if constexpr (N == 2 && !transposed)
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];"
                 : "=r"(to[0]), "=r"(to[1])
                 : "r"(from)
                 : "memory");
  if constexpr (N == 2 && transposed)
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];"
                 : "=r"(to[0]), "=r"(to[1])
                 : "r"(from)
                 : "memory");
  if constexpr (N == 4 && !transposed)
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                 : "r"(from)
                 : "memory");
  if constexpr (N == 4 && transposed)
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                 : "r"(from)
                 : "memory");
#endif
}

/// Stores N matrices; lanes and registers as in ldmatrix().
template <int N>
__device__ __forceinline__ void stmatrix(void* row, const unsigned (&from)[N]) {
  static_assert(N == 1 || N == 2 || N == 4);
#ifdef RAFTER_SIMT
  rafter_simt_stmatrix(row, from, N);
#else
  const auto to = static_cast<unsigned>(__cvta_generic_to_shared(row));
  if constexpr (N == 1)
    RAFTER_PTX_90("stmatrix.sync.aligned.m8n8.x1.shared.b16 [%0], {%1};" ::"r"(to), "r"(from[0]) : "memory");
  if constexpr (N == 2)
    RAFTER_PTX_90("stmatrix.sync.aligned.m8n8.x2.shared.b16 [%0], {%1, %2};" ::"r"(to), "r"(from[0]), "r"(from[1])
                  : "memory");
  if constexpr (N == 4)
    RAFTER_PTX_90("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(to), "r"(from[0]),
                  "r"(from[1]), "r"(from[2]), "r"(from[3])
                  : "memory");
#endif
}

/// Computes d += a b for T __half or __nv_bfloat16.
template <class T>
__device__ __forceinline__ void mma_m16n8k16(float (&d)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
  constexpr bool is_half = std::is_same_v<T, __half>;
  static_assert(is_half || std::is_same_v<T, __nv_bfloat16>);
#ifdef RAFTER_SIMT
  rafter_simt_mma(is_half ? rafter_simt::MmaType::half : rafter_simt::MmaType::bfloat16, d, a, b);
#else
  if constexpr (is_half) {
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
        "{%0, %1, %2, %3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  } else {
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
        "{%0, %1, %2, %3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  }
#endif
}

/// Computes d += a b in half, with two elements per register: d[0] is row g, columns 2t and 2t + 1; d[1] is row g + 8.
__device__ __forceinline__ void mma_m16n8k16_half(unsigned (&d)[2], const unsigned (&a)[4], const unsigned (&b)[2]) {
#ifdef RAFTER_SIMT
  rafter_simt_mma_half(d, a, b);
#else
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0, %1}, {%2, %3, %4, %5}, {%6, %7}, {%0, %1};"
               : "+r"(d[0]), "+r"(d[1])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
#endif
}

/// Computes d += a b. The hardware reads the upper 19 bits of a and b; to_tf32() rounds to them.
__device__ __forceinline__ void mma_m16n8k8_tf32(float (&d)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
#ifdef RAFTER_SIMT
  rafter_simt_mma(rafter_simt::MmaType::tf32, d, a, b);
#else
  asm volatile(
      "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
      "{%0, %1, %2, %3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
#endif
}

/// Rounds to 8 bits of exponent and 10 of fraction, to nearest, ties away from zero, and returns the bits of a float.
__device__ __forceinline__ unsigned to_tf32(float value) {
#ifdef RAFTER_SIMT
  return rafter_simt_to_tf32(value);
#else
  unsigned bits;
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(value));
  return bits;
#endif
}

}  // namespace RAFTER_BACKEND
}  // namespace rafter::ptx
