// Tensor cores kept busy with nothing but multiply-adds of matrices that are already there: from shared memory by wgmma
// on Hopper (sm_90a), from registers by mma.sync elsewhere from sm_80 on. The same 32 bytes of each row of A and of
// each column of B make a step for every type: 16 numbers of 16 bits, 8 of tf32, 32 of fp8.
#pragma once

#include <cstdint>

#include "lab/workload/cost.hpp"
#include "ptx/matrix.cuh"
#include "ptx/memory_order.cuh"
#include "ptx/wgmma.cuh"

namespace rafter::lab {

#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
#define RAFTER_ROOF_WGMMA
#endif

/// A type's ones with random signs and fractions: zeros would take less power, and run at a higher clock, than numbers.
template <Unit U>
__device__ unsigned some_numbers(unsigned seed) {
  const unsigned bits = seed * 2654435761u ^ (seed >> 7) * 2246822519u;
  if constexpr (U == Unit::tensor_fp16) return 0x3c003c00u ^ (bits & 0x83ff83ffu);
  if constexpr (U == Unit::tensor_bf16) return 0x3f803f80u ^ (bits & 0x807f807fu);
  if constexpr (U == Unit::tensor_tf32) return 0x3f800000u ^ (bits & 0x807fe000u);
  return 0x38383838u ^ (bits & 0x87878787u);  // e4m3
}

template <Unit U>
constexpr int step_depth = U == Unit::tensor_tf32  ? 8
                           : U == Unit::tensor_fp8 ? 32
                                                   : 16;

#ifdef RAFTER_ROOF_WGMMA

constexpr int rows = 64, columns = 128;

// The room for PTX has no fp8 yet.
#define RAFTER_D8(i)                                                                                          \
  "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3]), "+f"(d[i + 4]), "+f"(d[i + 5]), "+f"(d[i + 6]), \
      "+f"(d[i + 7])
__device__ inline void wgmma_fp8(float (&d)[columns / 2], std::uint64_t a, std::uint64_t b) {
  asm volatile(
      "{.reg .pred adds; setp.ne.b32 adds, %66, 0; wgmma.mma_async.sync.aligned.m64n128k32.f32.e4m3.e4m3 "
      "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
      "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "
      "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "
      "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63}, "
      "%64, %65, adds, 1, 1;}"
      : RAFTER_D8(0), RAFTER_D8(8), RAFTER_D8(16), RAFTER_D8(24), RAFTER_D8(32), RAFTER_D8(40), RAFTER_D8(48),
        RAFTER_D8(56)
      : "l"(a), "l"(b), "r"(1));
}
#undef RAFTER_D8

/// d += a * b, 64 x 128, spread over the 128 threads of a warpgroup.
template <Unit U>
__device__ void multiply_add(float (&d)[columns / 2], ptx::MatrixDescriptor a, ptx::MatrixDescriptor b) {
  constexpr auto adds = ptx::Accumulate::yes;
  if constexpr (U == Unit::tensor_fp16) ptx::wgmma<columns, __half>(d, a, b, adds);
  if constexpr (U == Unit::tensor_bf16) ptx::wgmma<columns, __nv_bfloat16>(d, a, b, adds);
  if constexpr (U == Unit::tensor_tf32) ptx::wgmma<columns, ptx::tf32>(d, a, b, adds);
  if constexpr (U == Unit::tensor_fp8) wgmma_fp8(d, a.value, b.value);
}

/// Operations of a block of 128 threads.
template <Unit U>
__device__ double tensor_steps(int n_steps, float& total) {
  constexpr int steps_at_once = 8;
  __shared__ alignas(128) unsigned a[rows * 32 / 4], b[columns * 32 / 4];
  for (int i = threadIdx.x; i < rows * 32 / 4; i += blockDim.x) a[i] = some_numbers<U>(i);
  for (int i = threadIdx.x; i < columns * 32 / 4; i += blockDim.x) b[i] = some_numbers<U>(i + 4099);
  ptx::fence_proxy_async_shared();  // the tensor cores read what the threads have written
  __syncthreads();
  // Pieces of 8 rows of 16 bytes, two along a row.
  const auto from_a = ptx::matrix_descriptor(a, ptx::Swizzle::none, 128, 256);
  const auto from_b = ptx::matrix_descriptor(b, ptx::Swizzle::none, 128, 256);
  float d[columns / 2] = {};
  for (int step = 0; step < n_steps; step += steps_at_once) {
    ptx::wgmma_fence(d);
#pragma unroll
    for (int i = 0; i < steps_at_once; ++i) multiply_add<U>(d, from_a, from_b);
    ptx::wgmma_commit();
    ptx::wgmma_wait<0>(d);
  }
#pragma unroll
  for (int i = 0; i < columns / 2; ++i) total += d[i];
  return 2. * rows * columns * step_depth<U> * n_steps;
}

#else

/// d += a * b, 16 x 8, spread over a warp.
template <Unit U>
__device__ void multiply_add(float (&d)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
  if constexpr (U == Unit::tensor_fp16) ptx::mma_m16n8k16<__half>(d, a, b);
  if constexpr (U == Unit::tensor_bf16) ptx::mma_m16n8k16<__nv_bfloat16>(d, a, b);
  if constexpr (U == Unit::tensor_tf32) ptx::mma_m16n8k8_tf32(d, a, b);
}

/// Operations of a block of 128 threads; 0 for fp8, which has no such loop.
template <Unit U>
__device__ double tensor_steps(int n_steps, float& total) {
  if constexpr (U == Unit::tensor_fp8) {
    return 0;
  } else {
    constexpr int n_chains = 8, n_warps = 4;
    unsigned a[4], b[2];
    for (int i = 0; i < 4; ++i) a[i] = some_numbers<U>(threadIdx.x + 128 * i);
    for (int i = 0; i < 2; ++i) b[i] = some_numbers<U>(threadIdx.x + 128 * i + 4099);
    float d[n_chains][4] = {};
    for (int step = 0; step < n_steps; ++step) {
#pragma unroll
      for (int c = 0; c < n_chains; ++c) multiply_add<U>(d[c], a, b);
    }
#pragma unroll
    for (int c = 0; c < n_chains; ++c) total += d[c][0] + d[c][1] + d[c][2] + d[c][3];
    return 2. * 16 * 8 * step_depth<U> * n_chains * n_warps * n_steps;
  }
}

#endif

}  // namespace rafter::lab
