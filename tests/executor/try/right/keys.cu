#include <cstdint>

// A segmented reduction in each warp: sums move to lower lanes while the key is the same.
__global__ void reduce_by_key(const float* values, const int64_t* keys, float* dest, int64_t size) {
  const int64_t i = blockIdx.x * static_cast<int64_t>(blockDim.x) + threadIdx.x;
  const int lane = threadIdx.x % 32;
  const long long key = i < size ? keys[i] : -1;
  float sum = i < size ? values[i] : 0;
  for (int d = 1; d < 32; d *= 2) {
    const float other = __shfl_down_sync(0xffffffff, sum, d);
    const long long others_key = __shfl_down_sync(0xffffffff, key, d);
    if (lane + d < 32 && others_key == key) sum += other;
  }
  const long long before = __shfl_up_sync(0xffffffff, key, 1);
  if (key >= 0 && (lane == 0 || before != key)) atomicAdd(&dest[key], sum);
}

__global__ void reduce_by_key_gradient(const float* grad_dest, const int64_t* keys, float* grad_values, int64_t size) {
  const int64_t i = blockIdx.x * static_cast<int64_t>(blockDim.x) + threadIdx.x;
  if (i < size) grad_values[i] = grad_dest[keys[i]];
}
