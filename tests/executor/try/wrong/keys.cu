#include "variant.hpp"

__global__ void scatter_sum(const float* values, const int64_t* keys, float* dest, int64_t size) {
  int64_t i = int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (is(1)) i = static_cast<int>(i);
  if (is(2)) i = static_cast<unsigned>(i);
  if (is(3)) size = static_cast<int>(size);
  if (i < 0 || i >= size) return;
  if (is(4)) {
    for (int64_t k = 0; i == 0 && k < size; ++k) dest[keys[k]] += values[k];
    return;
  }
  int64_t key = keys[i];
  if (is(5)) key = static_cast<int>(key) < 0 ? 0 : static_cast<int>(key);
  if (is(6)) key = static_cast<unsigned>(key);
  float x = values[i];
  if (is(7)) x = rounded(x);
  if (is(8)) x = fminf(x, 1e6F);
  atomicAdd(&dest[key], x);
}

__global__ void reduce_by_key(const float* values, const int64_t* keys, float* dest, int64_t size) {
  int64_t i = int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (is(1)) i = static_cast<int>(i);
  if (is(2)) size = static_cast<int>(size);
  const bool has = i >= 0 && i < size;
  const int lane = threadIdx.x % 32;
  if (is(3) && size < 4096) {  // few atomics only where they were counted once
    if (has) atomicAdd(&dest[keys[i]], values[i]);
    return;
  }
  const long long key = has ? keys[i] : -1;
  float sum = has ? values[i] : 0;
  const auto same = [](long long a, long long b) { return is(4) ? static_cast<int>(a) == static_cast<int>(b) : a == b; };
  for (int d = 1; d < 32; d *= 2) {
    const float other = __shfl_down_sync(0xffffffff, sum, d);
    const long long others_key = __shfl_down_sync(0xffffffff, key, d);
    const bool adds = lane + d < 32 && same(others_key, key);
    if (is(5)) sum += other * static_cast<float>(adds);
    else if (adds) sum += other;
  }
  const long long before = __shfl_up_sync(0xffffffff, key, 1);
  const int64_t to = is(6) ? static_cast<unsigned>(key) : key;
  if (key >= 0 && (lane == 0 || !same(before, key))) atomicAdd(&dest[to], sum);
}

__global__ void reduce_by_key_gradient(const float* grad_dest, const int64_t* keys, float* grad_values, int64_t size) {
  int64_t i = int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (is(1)) i = static_cast<int>(i);
  if (is(2)) i = static_cast<unsigned>(i);
  if (i < 0 || i >= size) return;
  for (int64_t k = i, end = is(3) ? size : i + 1; k < end && !(is(3) && i > 0); ++k) {
    const int64_t key = is(4) ? static_cast<unsigned>(keys[k]) : keys[k];
    const float x = grad_dest[key];
    grad_values[k] = is(5) ? x + 0.F : is(6) ? rounded(x) : x;
  }
}
