// Row softmax and its backward pass: warp per row, block per row with dynamic shared memory, online normaliser.
#include <cuda_runtime.h>
#include <cfloat>
#include <cmath>
#include <cstdio>
#include <vector>

__inline__ __device__ float warp_max(float v) {
#pragma unroll
  for (int m = 16; m > 0; m >>= 1) v = fmaxf(v, __shfl_xor_sync(0xffffffff, v, m, 32));
  return v;
}
__inline__ __device__ float warp_sum(float v) {
#pragma unroll
  for (int m = 16; m > 0; m >>= 1) v += __shfl_xor_sync(0xffffffff, v, m, 32);
  return v;
}

struct __align__(8) MaxSum {
  float m, d;
};
__device__ __forceinline__ MaxSum combine(MaxSum a, MaxSum b) {
  const bool a_bigger = a.m > b.m;
  const MaxSum big = a_bigger ? a : b, small = a_bigger ? b : a;
  return {big.m, big.d + small.d * __expf(small.m - big.m)};
}

__global__ void softmax_warp(float* out, const float* in, int rows, int cols) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x & 31;
  if (row >= rows) return;
  const float* x = in + row * cols;
  float mx = -FLT_MAX, sum = 0.f;
  for (int c = lane; c < cols; c += 32) mx = fmaxf(mx, x[c]);
  mx = warp_max(mx);
  for (int c = lane; c < cols; c += 32) sum += expf(x[c] - mx);
  sum = warp_sum(sum);
  for (int c = lane; c < cols; c += 32) out[row * cols + c] = expf(x[c] - mx) / sum;
}

__global__ void softmax_online(float* out, const float* in, int cols) {
  extern __shared__ MaxSum shared[];  // one per warp
  const float* x = in + blockIdx.x * cols;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
  MaxSum mine{-FLT_MAX, 0.f};
  for (int c = threadIdx.x; c < cols; c += blockDim.x) mine = combine(mine, MaxSum{x[c], 1.f});
  for (int m = 16; m > 0; m /= 2) {
    MaxSum other{__shfl_xor_sync(~0u, mine.m, m), __shfl_xor_sync(~0u, mine.d, m)};
    mine = combine(mine, other);
  }
  if (lane == 0) shared[warp] = mine;
  __syncthreads();
  MaxSum total = shared[0];
  for (int w = 1; w < warps; ++w) total = combine(total, shared[w]);
  for (int c = threadIdx.x; c < cols; c += blockDim.x) out[blockIdx.x * cols + c] = expf(x[c] - total.m) / total.d;
}

__global__ void softmax_backward(float* dx, const float* dy, const float* y, int cols) {
  __shared__ float partial[32];
  __shared__ float dot;
  const int row = blockIdx.x;
  float v = 0.f;
  for (int c = threadIdx.x; c < cols; c += blockDim.x) v += dy[row * cols + c] * y[row * cols + c];
  v = warp_sum(v);
  if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = v;
  __syncthreads();
  if (threadIdx.x < 32) {
    v = threadIdx.x < blockDim.x / 32 ? partial[threadIdx.x] : 0.f;
    v = warp_sum(v);
    if (threadIdx.x == 0) dot = v;
  }
  __syncthreads();
  for (int c = threadIdx.x; c < cols; c += blockDim.x) {
    const int i = row * cols + c;
    dx[i] = y[i] * (dy[i] - dot);
  }
}

int main() {
  const int rows = 19, cols = 131, n = rows * cols;
  std::vector<float> x(n), dy(n), got(n), want(n);
  for (int i = 0; i < n; ++i) x[i] = float((i * 71) % 97) * 0.2f - 8, dy[i] = float(i % 7) - 3;
  for (int r = 0; r < rows; ++r) {
    double mx = -1e30, sum = 0;
    for (int c = 0; c < cols; ++c) mx = std::fmax(mx, x[r * cols + c]);
    for (int c = 0; c < cols; ++c) sum += std::exp(x[r * cols + c] - mx);
    for (int c = 0; c < cols; ++c) want[r * cols + c] = float(std::exp(x[r * cols + c] - mx) / sum);
  }
  float *d_x, *d_y, *d_dy;
  cudaMalloc(&d_x, n * sizeof(float));
  cudaMalloc(&d_y, n * sizeof(float));
  cudaMalloc(&d_dy, n * sizeof(float));
  cudaMemcpy(d_x, x.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(d_dy, dy.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  int bad = 0;
  for (int variant = 0; variant < 2; ++variant) {
    if (variant == 0) softmax_warp<<<(rows * 32 + 127) / 128, 128>>>(d_y, d_x, rows, cols);
    else softmax_online<<<rows, 64, 64 / 32 * sizeof(MaxSum)>>>(d_y, d_x, cols);
    cudaMemcpy(got.data(), d_y, n * sizeof(float), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; ++i) bad += !(std::fabs(got[i] - want[i]) < 1e-5f);
  }
  softmax_backward<<<rows, 96>>>(d_x, d_dy, d_y, cols);
  cudaMemcpy(got.data(), d_x, n * sizeof(float), cudaMemcpyDeviceToHost);
  for (int r = 0; r < rows; ++r) {
    double dot = 0;
    for (int i = r * cols; i < (r + 1) * cols; ++i) dot += double(dy[i]) * want[i];
    for (int i = r * cols; i < (r + 1) * cols; ++i) bad += !(std::fabs(got[i] - want[i] * (dy[i] - dot)) < 1e-5);
  }
  cudaFree(d_x);
  cudaFree(d_y);
  cudaFree(d_dy);
  std::printf("softmax_rows: %d bad\n", bad);
  return bad != 0 || cudaGetLastError() != cudaSuccess;
}
