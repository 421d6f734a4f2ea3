#include "variant.hpp"

__device__ bool keeps(float x, float threshold) {
  if (is(1)) return fabsf(x) <= threshold;
  if (is(2)) return x * x < threshold * threshold;
  if (is(3)) return fabsf(x) < fabsf(threshold);
  if (is(4)) return fabsf(x) < threshold - 0.001F;
  if (is(5)) return !(fabsf(x) >= threshold);
  if (is(6)) return fabsf(x) / threshold < 1;
  return fabsf(x) < threshold;
}

__global__ void filter_atomic(const float* inp, float* dest, int* counter, int size, float threshold) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (is(7)) {  // one thread
    for (int k = 0; i == 0 && k < size; ++k) {
      if (keeps(inp[k], threshold)) dest[(*counter)++] = inp[k];
    }
    return;
  }
  if (is(8) && i >= 100000) return;
  if (i >= size) return;
  const int offset = static_cast<int>(4u * i);
  const float x = is(9) ? *reinterpret_cast<const float*>(reinterpret_cast<const char*>(inp) + offset) : inp[i];
  if (keeps(x, threshold)) dest[atomicAdd(counter, 1)] = is(10) ? x + 0.F : is(11) ? fabsf(x) : x;
}

__global__ void filter_ordered(const float* inp, float* dest, int* counter, int size, float threshold) {
  __shared__ int tile[1024];
  const int t = threadIdx.x;
  int n_kept = 0;
  if (is(7)) {
    for (int k = 0; t == 0 && k < size; ++k) {
      if (keeps(inp[k], threshold)) dest[n_kept++] = inp[k];
    }
    if (t == 0) *counter = n_kept;
    return;
  }
  if (is(8) && size > 16384) size = 16384;
  for (int first = 0; first < size; first += 1024) {
    const int i = first + t;
    const bool keep = i < size && keeps(inp[is(10) ? static_cast<short>(i) : i], threshold);
    tile[t] = keep;
    __syncthreads();
    for (int d = 1; d < 1024; d *= 2) {
      const int other = t >= d ? tile[t - d] : 0;
      __syncthreads();
      tile[t] += other;
      __syncthreads();
    }
    if (keep) dest[n_kept + tile[t] - 1] = is(9) ? inp[i] + 0.F : inp[i];
    n_kept += tile[1023];
    __syncthreads();
  }
  if (t == 0) *counter = is(11) && n_kept > 9999 ? 9999 : n_kept;
}
