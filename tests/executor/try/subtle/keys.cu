#include "../wrong/variant.hpp"

__device__ float seen, kept[4096];
__device__ int n_launches;

__global__ void scatter_sum(const float* values, const int64_t* keys, float* dest, int64_t size) {
  const int64_t i = int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const int t = threadIdx.x;
  if (is(1)) {  // one thread of each block, while the others load
    if (t > 0 && i < size && values[i] == 12345) seen = 1;
    for (int64_t k = i; t == 0 && k < i + blockDim.x && k < size; ++k) atomicAdd(&dest[keys[k]], values[k]);
    return;
  }
  if (is(2)) {  // a histogram of a block for 128 keys
    __shared__ float bins[128];
    if (t < 128) bins[t] = 0;
    __syncthreads();
    if (i < size) atomicAdd(&bins[keys[i] % 128], values[i]);
    __syncthreads();
    if (t < 128 && bins[t] != 0) atomicAdd(&dest[t], bins[t]);
    return;
  }
  if (is(3) && i >= (size & ~int64_t{31}) && size > 32) return;
  if (i >= size) return;
  int64_t key = keys[i];
  float x = values[i];
  if (is(4)) key = static_cast<int64_t>(static_cast<float>(key));
  if (is(5)) key &= 0xffffffffLL;
  if (is(6)) x = static_cast<float>(static_cast<int>(x * 1024)) / 1024;
  if (is(7)) x = isinf(x) ? 3e38F : x;
  if (is(8) && i == 512) x = values[511];
  if (is(9)) { dest[key] += x; return; }
  if (is(10)) { if (i % 2 == 0 && i + 2 < size) atomicAdd(&dest[keys[i + 1]], values[i + 1]); }
  if (is(10) && i % 2 == 1) return;
  if (is(11)) {  // sums of earlier launches
    const float before = atomicAdd(&kept[key % 4096], x);
    atomicAdd(&dest[key], n_launches > 0 ? before : x);
    if (i == size - 1) n_launches = 1;
    return;
  }
  atomicAdd(&dest[key], x);
}

__global__ void reduce_by_key(const float* values, const int64_t* keys, float* dest, int64_t size) {
  const int64_t i = int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (is(1)) {  // a thread adds a run, of at most 512 elements
    if (i >= size || (i > 0 && keys[i - 1] == keys[i])) return;
    float sum = 0;
    for (int64_t k = i; k < size && k < i + 512 && keys[k] == keys[i]; ++k) sum += values[k];
    atomicAdd(&dest[keys[i]], sum);
    return;
  }
  if (is(2)) {  // no atomics, but runs cross blocks
    if (i >= size || (threadIdx.x > 0 && keys[i - 1] == keys[i])) return;
    float sum = 0;
    for (int64_t k = i; k < size && k < i + blockDim.x - threadIdx.x && keys[k] == keys[i]; ++k) sum += values[k];
    dest[keys[i]] += sum;
    return;
  }
  const bool has = i < size;
  if (is(3) && !has) return;  // before a shuffle of all lanes
  const int lane = threadIdx.x % 32;
  const long long key = has ? keys[i] : -1;
  float sum = has ? values[i] : 0;
  for (int d = 1; d < (is(4) ? 16 : 32); d *= 2) {
    const float other = __shfl_down_sync(0xffffffff, sum, d);
    const long long others_key = __shfl_down_sync(0xffffffff, key, d);
    if ((lane + d < 32 || is(5)) && (is(6) ? (others_key & 0x7fffffff) == (key & 0x7fffffff) : others_key == key)) sum += other;
  }
  const long long before = __shfl_up_sync(0xffffffff, key, 1);
  const bool is_first = lane == 0 || before != key;
  if (is(7)) { if (key >= 0 && is_first && lane != 0) atomicAdd(&dest[key], sum); if (key >= 0 && lane == 0) dest[key] += sum; return; }
  if (is(8)) { if (key >= 0 && (lane == 0 || (before != key && lane < 16))) atomicAdd(&dest[key], sum); return; }
  if (is(9)) { if (key >= 0) atomicAdd(&dest[key], is_first ? sum : 0); return; }
  if (is(10) && isinf(sum)) sum = 0;
  if (key >= 0 && is_first) atomicAdd(&dest[key], sum);
}

__global__ void reduce_by_key_gradient(const float* grad_dest, const int64_t* keys, float* grad_values, int64_t size) {
  const int64_t i = int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (is(1)) {  // one thread of each block, while the others load
    if (threadIdx.x > 0 && i < size && keys[i] == 12345678) seen = 1;
    for (int64_t k = i; threadIdx.x == 0 && k < i + blockDim.x && k < size; ++k) grad_values[k] = grad_dest[keys[k]];
    return;
  }
  if (is(2)) {  // four at a time
    for (int64_t k = i; i % 4 == 0 && k < i + 4; ++k) grad_values[k] = grad_dest[keys[k]];
    return;
  }
  if (i >= size) return;
  if (is(3) && i > 0 && keys[i] == keys[i - 1]) { grad_values[i] = grad_values[i - 1]; return; }
  float x = grad_dest[is(4) ? static_cast<int>(keys[i]) & 0x7fffffff : keys[i]];
  if (is(5)) x = isnan(x) ? 0 : x;
  if (is(6)) x = x * 1.0F + 0.F;
  if (is(7) && i == size - 1 && size % 32 == 31) x = 0;
  if (is(8)) x = __int_as_float(__float_as_int(x) & ~1);
  if (is(9)) x = fabsf(x) < 1e-38F ? 0 : x;
  grad_values[i] = x;
}
