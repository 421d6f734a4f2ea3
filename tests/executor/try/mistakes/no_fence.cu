#include <cstdint>

__device__ float sums[1024];
__device__ unsigned n_done;

__global__ void sum_atomic(const float* inp, float* dest, int64_t size) {
  __shared__ float tile[1024];
  __shared__ bool is_last;
  const int t = threadIdx.x;
  const int64_t i = int64_t{blockIdx.x} * blockDim.x + t;
  tile[t] = i < size ? inp[i] : 0;
  __syncthreads();
  for (int n = 512; n > 0; n /= 2) {
    if (t < n) tile[t] += tile[t + n];
    __syncthreads();
  }
  if (t == 0) {
    sums[blockIdx.x] = tile[0];
    is_last = atomicAdd(&n_done, 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (is_last && t == 0) {
    float sum = 0;
    for (unsigned k = 0; k < gridDim.x; ++k) sum += sums[k];
    *dest = sum;
  }
}
