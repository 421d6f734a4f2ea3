#include <cstdint>

__global__ void sum_atomic(const float* inp, float* dest, int64_t size) {
  int64_t i = blockIdx.x * static_cast<int64_t>(blockDim.x) + threadIdx.x;
  if (i < size) atomicAdd(dest, inp[i]);
}

__global__ void sum_1024(const float* inp, float* dest, int size) {
  __shared__ float tile[1024];
  const int t = threadIdx.x, i = blockIdx.x * 1024 + t;
  tile[t] = i < size ? inp[i] : 0;
  __syncthreads();
  for (int n = 512; n > 0; n /= 2) {
    if (t < n) tile[t] += tile[t + n];
    __syncthreads();
  }
  if (t == 0) dest[blockIdx.x] = tile[0];
}
