// What tests of subjects bring: launchers, kernels of several launches, variables, structures, overloads, and host code
// for a library that is not here.
#include <cooperative_groups.h>
#include <cublas_v2.h>
#include <cuda_fp16.h>

#include "no_such_header.hpp"
#include "subjects.cuh"

namespace cg = cooperative_groups;

static cublasHandle_t handle;
void multiply(float* a) { cublasSgemm(handle, a); }

struct Scaling {
  char kind;
  float factor;
  int n;
  const float* in;
};

__constant__ float weights[3];
__device__ int shift = 1;

__device__ int index_here() { return blockIdx.x * blockDim.x + threadIdx.x; }

__global__ void partial_sums(const float* in, float* sums, int n) {
  __shared__ float of_block[64];
  const int i = index_here();
  of_block[threadIdx.x] = i < n ? in[i] : 0;
  for (int half = 32; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) of_block[threadIdx.x] += of_block[threadIdx.x + half];
  }
  if (threadIdx.x == 0) sums[blockIdx.x] = of_block[0];
}

extern "C" void solve(const float* in, float* out, int n) {
  const int n_blocks = (n + 63) / 64;
  float* sums = nullptr;
  cudaMalloc(&sums, n_blocks * sizeof(float));
  partial_sums<<<n_blocks, 64>>>(in, sums, n);
  partial_sums<<<1, 64>>>(sums, out, n_blocks);
  cudaFree(sums);
}

void solve_with_first_block(const float* in, float* out, int n) { partial_sums<<<1, 64>>>(in, out, n); }

__device__ float kept;
__global__ void keep(float* out) { kept == 0 ? kept = *out : *out = kept; }
void solve_once(const float* in, float* out, int n) {
  solve(in, out, n);
  keep<<<1, 1>>>(out);
}

void solve_on_host(const float* in, float* out, int n) {
  for (int i = 0; i < n; ++i) out[0] += in[i];
}

void sum_on_host(const float* in, float* out, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += in[i];
  *out = static_cast<float>(sum);
}

__global__ void weighted(const float* in, float* out, int n) {
  const int i = index_here();
  if (i >= n) return;
  out[i] = weights[1] * in[i] + weights[2] * in[i > 0 ? i - 1 : 0] + shift;
}

void weighted_on_host(const float* in, float* out, int n) {
  for (int i = 0; i < n; ++i) out[i] = in[i] + 2 * in[i > 0 ? i - 1 : 0] + 7;
}

__global__ void by_structure(Scaling s, float* out) {
  const int i = index_here();
  if (i < s.n) out[i] = s.factor * s.in[i];
}

void half_on_host(const float* in, float* out, int n) {
  for (int i = 0; i < n; ++i) out[i] = 0.5f * in[i];
}

__global__ void halve(const float* in, float* out, int n) {
  if (const int i = index_here(); i < n) out[i] = in[i];
}
__global__ void halve(const __half* in, __half* out, int n) {
  if (const int i = index_here(); i < n) out[i] = __hmul(in[i], __float2half(0.5f));
}

#define TWICE(T) \
  __global__ void twice_##T(const T* in, T* out, int n) { \
    if (const int i = index_here(); i < n) out[i] = 2 * in[i]; \
  }
TWICE(int)

__global__ void reversed(const float* in, float* out, float* copy, int n) {
  const int i = index_here();
  if (i < n) copy[i] = in[i];
  cg::this_grid().sync();
  if (i < n) out[i] = copy[n - 1 - i];
}

void reversed_on_host(const float* in, float* out, float* copy, int n) {
  for (int i = 0; i < n; ++i) out[i] = in[n - 1 - i];
}
