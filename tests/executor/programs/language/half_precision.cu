// saxpy in half2 with a scalar tail, a half dot product accumulated in float, conversions both ways.
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <vector>

#define CUDA_OK(expr) do { if ((expr) != cudaSuccess) { std::printf("%s failed\n", #expr); return 2; } } while (0)

__global__ void saxpy_half2(int n, __half a, const __half* x, __half* y) {
  const __half2 a2 = __half2half2(a);
  const __half2* x2 = reinterpret_cast<const __half2*>(x);
  __half2* y2 = reinterpret_cast<__half2*>(y);
  int start = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = start; i < n / 2; i += blockDim.x * gridDim.x) y2[i] = __hfma2(a2, x2[i], y2[i]);
  if (start == 0 && (n % 2)) y[n - 1] = __hfma(a, x[n - 1], y[n - 1]);
}

__global__ void dot_half(const half* x, const half* y, int n, float* out) {
  float sum = 0.f;
  for (int i = threadIdx.x; i < n; i += blockDim.x) sum += __half2float(x[i]) * __half2float(y[i]);
  for (int offset = warpSize / 2; offset > 0; offset >>= 1) sum += __shfl_down_sync(~0u, sum, offset);
  if (threadIdx.x % warpSize == 0) atomicAdd(out, sum);
}

__global__ void relu_clip(half* v, int n, half hi) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  half x = v[i] * __float2half(0.5f) + half(1.0f);
  if (__hgt(x, hi)) x = hi;
  v[i] = x < half(0.0f) ? half(0.0f) : x;
}

int main() {
  const int n = 2047;
  std::vector<half> x(n), y(n), got(n);
  for (int i = 0; i < n; ++i) {
    x[i] = __float2half((i % 33) * 0.125f - 2.0f);
    y[i] = __float2half((i % 17) * 0.25f);
  }
  half *dx, *dy;
  float* dot;
  CUDA_OK(cudaMalloc(&dx, n * sizeof(half)));
  CUDA_OK(cudaMalloc(&dy, n * sizeof(half)));
  CUDA_OK(cudaMalloc(&dot, sizeof(float)));
  CUDA_OK(cudaMemcpy(dx, x.data(), n * sizeof(half), cudaMemcpyHostToDevice));
  CUDA_OK(cudaMemcpy(dy, y.data(), n * sizeof(half), cudaMemcpyHostToDevice));
  CUDA_OK(cudaMemset(dot, 0, sizeof(float)));

  saxpy_half2<<<3, 128>>>(n, __float2half(2.0f), dx, dy);
  dot_half<<<1, 96>>>(dx, dy, n, dot);
  CUDA_OK(cudaMemcpy(got.data(), dy, n * sizeof(half), cudaMemcpyDeviceToHost));
  int bad = 0;
  double want_dot = 0;
  for (int i = 0; i < n; ++i) {
    float want = 2.0f * __half2float(x[i]) + __half2float(y[i]);
    bad += !(std::fabs(__half2float(got[i]) - want) <= 2e-3f * std::fabs(want) + 1e-3f);
    want_dot += double(__half2float(x[i])) * __half2float(got[i]);
  }
  float d = 0;
  CUDA_OK(cudaMemcpy(&d, dot, sizeof(float), cudaMemcpyDeviceToHost));
  bad += !(std::fabs(d - want_dot) < 1e-2 * std::fabs(want_dot) + 0.1);

  relu_clip<<<(n + 63) / 64, 64>>>(dy, n, __float2half(2.5f));
  std::vector<half> clipped(n);
  CUDA_OK(cudaMemcpy(clipped.data(), dy, n * sizeof(half), cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; ++i) {
    float want = std::fmax(0.0f, std::fmin(2.5f, __half2float(got[i]) * 0.5f + 1.0f));
    bad += !(std::fabs(__half2float(clipped[i]) - want) < 4e-3f);
  }
  cudaFree(dx);
  cudaFree(dy);
  cudaFree(dot);
  std::printf("half_precision: %d bad, dot %.3f\n", bad, d);
  return bad != 0;
}
