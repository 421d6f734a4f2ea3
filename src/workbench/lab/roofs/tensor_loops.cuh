// Keeps tensor cores busy with matrix multiply-adds only: from shared memory by wgmma on Hopper (sm_90a), from
// registers by mma.sync elsewhere from sm_80 on. For every type a step takes 32 bytes of each row of A and of each
// column of B: 16 numbers of 16 bits, 8 of tf32, 32 of fp8.
#pragma once

#include "library/ptx/matrix.cuh"
#include "library/ptx/memory_order.cuh"
#include "library/ptx/wgmma.cuh"
#include "workbench/lab/workload/cost.hpp"

namespace rafter::lab {

#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
#define RAFTER_ROOF_WGMMA
#endif

/// Returns numbers around 1 with random signs and fractions: zeros would take less power and run at a higher clock.
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

/// Computes d += a * b, 64 x 128, distributed over the 128 threads of a warpgroup.
template <Unit U>
__device__ void multiply_add(float (&d)[columns / 2], ptx::MatrixDescriptor a, ptx::MatrixDescriptor b) {
  constexpr auto adds = ptx::Accumulate::yes;
  if constexpr (U == Unit::tensor_fp16) ptx::wgmma<columns, __half>(d, a, b, adds);
  if constexpr (U == Unit::tensor_bf16) ptx::wgmma<columns, __nv_bfloat16>(d, a, b, adds);
  if constexpr (U == Unit::tensor_tf32) ptx::wgmma<columns, ptx::tf32>(d, a, b, adds);
  if constexpr (U == Unit::tensor_fp8) ptx::wgmma<columns, __nv_fp8_e4m3>(d, a, b, adds);
}

/// Runs the steps and returns the operations of a block of 128 threads.
template <Unit U>
__device__ double tensor_steps(int n_steps, float& total) {
  constexpr int steps_at_once = 8;
  __shared__ alignas(128) unsigned a[rows * 32 / 4], b[columns * 32 / 4];
  for (int i = threadIdx.x; i < rows * 32 / 4; i += blockDim.x) a[i] = some_numbers<U>(i);
  for (int i = threadIdx.x; i < columns * 32 / 4; i += blockDim.x) b[i] = some_numbers<U>(i + 4099);
  ptx::fence_proxy_async_shared();  // makes the threads' writes visible to the tensor cores
  __syncthreads();
  // Core matrices of 8 rows of 16 bytes, two along a row.
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

/// Computes d += a * b, 16 x 8, distributed over a warp.
template <Unit U>
__device__ void multiply_add(float (&d)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
  if constexpr (U == Unit::tensor_fp16) ptx::mma_m16n8k16<__half>(d, a, b);
  if constexpr (U == Unit::tensor_bf16) ptx::mma_m16n8k16<__nv_bfloat16>(d, a, b);
  if constexpr (U == Unit::tensor_tf32) ptx::mma_m16n8k8_tf32(d, a, b);
}

/// Runs the steps and returns the operations of a block of 128 threads; 0 for fp8, which has no such instruction here.
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
