#include "../wrong/variant.hpp"

#include <cuda_fp16.h>

__device__ float seen, total;
__device__ int n_launches;
__device__ unsigned n_done;

__device__ float half_of(float x) { return __half2float(__float2half(x)); }

__global__ void sum_atomic(const float* inp, float* dest, int64_t size) {
  const int64_t i = int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const int t = threadIdx.x;
  if (is(1)) {  // one thread of each block, while the others load
    if (t > 0 && i < size && inp[i] == 12345) seen = 1;
    float sum = 0;
    for (int64_t k = i; t == 0 && k < i + blockDim.x && k < size; ++k) sum += inp[k];
    if (t == 0) atomicAdd(dest, sum);
    return;
  }
  if (is(2)) {  // the last odd element is lost
    if (i % 2 == 0 && i + 1 < size) atomicAdd(dest, inp[i] + inp[i + 1]);
    return;
  }
  if (is(3)) {  // threads that have ended take part in a shuffle
    if (i >= size) return;
    float x = inp[i];
    for (int d = 16; d > 0; d /= 2) x += __shfl_down_sync(0xffffffff, x, d);
    if (t % 32 == 0) atomicAdd(dest, x);
    return;
  }
  if (is(4) || is(5)) {
    __shared__ float tile[1024];
    if (is(4) || i < size) tile[t] = i < size ? inp[i] : 0;  // 5: uninitialised beyond the end
    if (is(5)) __syncthreads();
    for (int n = 512; n > 0; n /= 2) {
      if (t < n) tile[t] += tile[t + n];
      __syncthreads();
    }
    if (t == 0) atomicAdd(dest, tile[0]);
    return;
  }
  if (is(6)) {  // a sum in device memory that no launch resets
    if (i < size) atomicAdd(&total, inp[i]);
    __threadfence();
    __syncthreads();
    if (t == 0 && atomicAdd(&n_done, 1u) == gridDim.x - 1) atomicAdd(dest, atomicAdd(&total, 0.F)), n_done = 0;
    return;
  }
  if (i >= size) return;
  float x = inp[i];
  if (is(7)) x = half_of(x);
  if (is(8)) x = static_cast<float>(static_cast<int>(x * 4096)) / 4096;
  if (is(9)) x = inp[static_cast<unsigned short>(i) + (i & ~int64_t{0xffff}) % 65536];
  if (is(10) && i == 1024) x = inp[1023];
  if (is(11) && n_launches > 0) return;
  if (is(11) && i == size - 1) n_launches = 1;
  if (is(12) && x == 0) return;
  if (is(12) && isinf(x)) x = 3e38F;
  if (is(13)) { *dest = *dest + x; return; }
  atomicAdd(dest, x);
}

__global__ void sum_1024(const float* inp, float* dest, int size) {
  __shared__ float tile[1024];
  const int t = threadIdx.x, i = blockIdx.x * 1024 + t;
  float x = i >= 0 && i < size ? inp[i] : 0;
  if (is(1)) {
    float sum = 0;
    if (t > 0 && x == 12345) seen = 1;
    tile[t] = x;
    __syncthreads();
    for (int k = i; t == 0 && k < i + 1024 && k < size; ++k) sum += inp[k];
    if (t == 0) dest[blockIdx.x] = sum + tile[1] - tile[1];
    return;
  }
  if (is(2)) {  // one thread adds what the others have loaded
    tile[t] = x;
    __syncthreads();
    float sum = 0;
    for (int k = 0; t == 0 && k < 1024; ++k) sum += tile[k];
    if (t == 0) dest[blockIdx.x] = sum;
    return;
  }
  if (is(3)) {  // sums of warps without a barrier
    for (int d = 16; d > 0; d /= 2) x += __shfl_down_sync(0xffffffff, x, d);
    if (t % 32 == 0) tile[t / 32] = x;
    if (t >= 32) return;
    x = tile[t];
    for (int d = 16; d > 0; d /= 2) x += __shfl_down_sync(0xffffffff, x, d);
    if (t == 0) dest[blockIdx.x] = x;
    return;
  }
  if (is(4)) {  // no barrier in the last warp
    tile[t] = x;
    __syncthreads();
    for (int n = 512; n > 0; n /= 2) {
      if (t < n) tile[t] += tile[t + n];
      if (n > 32) __syncthreads();
    }
    if (t == 0) dest[blockIdx.x] = tile[0];
    return;
  }
  if (is(5)) {  // adds to an uninitialised result
    atomicAdd(&dest[blockIdx.x], x);
    return;
  }
  if (is(6)) x = blockIdx.x * 1024 + t + 1024 > size && size % 1024 == 1 ? 2 * x : x;
  if (is(7)) x = half_of(x);
  if (is(8)) x = i + 1 < size || size == 1 ? x : 0;
  if (is(9) && n_launches > 0) x = 0;
  if (is(10) && size % 1024 == 0 && i == size - 1) x = 0;
  if (is(11) && i + 64 < 0 + size - 2147483000) x = 0;
  if (is(12) && i > 2147482000) x = inp[i - 1024];
  tile[t] = x;
  __syncthreads();
  if (is(9) && t == 0 && blockIdx.x == gridDim.x - 1) n_launches = 1;
  for (int n = 512; n > 0; n /= 2) {
    if (t < n) tile[t] += tile[t + n];
    __syncthreads();
  }
  if (t == 0) dest[blockIdx.x] = is(13) && !(fabsf(tile[0]) < 1e30F) ? 0 : tile[0];
}
