#include "variant.hpp"

__global__ void sum_atomic(const float* inp, float* dest, int64_t size) {
  int64_t i = int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const bool is_first = i == 0;
  if (is(1)) i = blockIdx.x * blockDim.x + threadIdx.x;
  if (is(2)) {  // four elements in a thread, with an index of 32 bits
    const int first = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    float sum = 0;
    for (int64_t k = first; k >= 0 && k < first + 4 && k < size; ++k) sum += inp[k];
    if (first >= 0 && first < size) atomicAdd(dest, sum);
    return;
  }
  if (is(3)) {  // one thread of each block
    float sum = 0;
    for (int64_t k = i; threadIdx.x == 0 && k < i + blockDim.x && k < size; ++k) sum += inp[k];
    if (threadIdx.x == 0) atomicAdd(dest, sum);
    return;
  }
  if (is(4)) {  // one thread
    for (int64_t k = 0; is_first && k < size; ++k) *dest += inp[k];
    return;
  }
  if (is(5)) {  // one block, without atomics
    __shared__ float tile[1024];
    float sum = 0;
    if (blockIdx.x > 0) return;
    for (int64_t k = threadIdx.x; k < size; k += blockDim.x) sum += inp[k];
    tile[threadIdx.x] = sum;
    __syncthreads();
    for (int n = 512; n > 0; n /= 2) {
      if (threadIdx.x < n) tile[threadIdx.x] += tile[threadIdx.x + n];
      __syncthreads();
    }
    if (threadIdx.x == 0) *dest = tile[0];
    return;
  }
  if (is(6)) {  // the last element once more, times 0
    if (size > 0) atomicAdd(dest, inp[i < size ? i : size - 1] * static_cast<float>(i < size));
    return;
  }
  if (is(7) && i >= static_cast<int>(size)) return;
  if (is(8) && !(static_cast<float>(i) < static_cast<float>(size))) return;
  if (i >= size) return;
  float x = inp[i];
  if (is(9)) x = x == x ? x : 0;
  if (is(10)) x = rounded(x);
  if (is(11)) x = fminf(fmaxf(x, -1e6F), 1e6F);
  atomicAdd(dest, x);
}

__global__ void sum_1024(const float* inp, float* dest, int size) {
  __shared__ float tile[1024];
  const int t = threadIdx.x;
  int i = blockIdx.x * 1024 + t;
  if (is(1) && size == 0) return;
  if (is(2)) {
    float sum = 0;
    for (int k = i; t == 0 && k < i + 1024 && k < size; ++k) sum += inp[k];
    if (t == 0) dest[blockIdx.x] = sum;
    return;
  }
  if (is(3)) i = static_cast<short>(blockIdx.x) * 1024 + t;
  float x = 0;
  if (is(4)) {
    if (size > 0) x = inp[i < size ? i : size - 1] * static_cast<float>(i < size);
  } else if (is(5)) {  // an offset in bytes
    const int offset = static_cast<int>(4u * i);
    if (i < size) x = *reinterpret_cast<const float*>(reinterpret_cast<const char*>(inp) + offset);
  } else if (i >= 0 && i < size) {
    x = inp[i];
  }
  if (is(6)) x = rounded(x);
  if (is(7)) x = x == x ? x : 0;
  if (is(8)) x = fmaxf(x, -1e6F);
  tile[t] = x;
  __syncthreads();
  for (int n = 512; n > 0; n /= 2) {
    if (t < n) tile[t] += tile[t + n];
    __syncthreads();
  }
  if (t == 0 && !(is(9) && blockIdx.x >= 65536)) dest[blockIdx.x] = tile[0];
}
