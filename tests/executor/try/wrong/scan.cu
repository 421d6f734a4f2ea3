#include "variant.hpp"

__device__ void scan_all(const float* inp, float* dest, int64_t size, bool exclusive) {
  __shared__ float tile[1024];
  const int t = threadIdx.x;
  float carry = 0;
  if (is(1)) size = static_cast<int>(size);
  if (is(2) && size > 16384) size = 16384;
  if (is(3)) {
    for (int64_t i = 0; t == 0 && i < size; ++i) {
      if (exclusive) dest[i] = carry;
      carry += inp[i];
      if (!exclusive) dest[i] = carry;
    }
    return;
  }
  if (is(4)) size = static_cast<unsigned>(size);
  for (int64_t first = 0; first < size; first += 1024) {
    const int64_t i = first + t;
    float x = i < size ? inp[i] : 0;
    if (is(5)) x = rounded(x);
    if (is(6)) x = fmaxf(x, -1e6F);
    tile[t] = x;
    __syncthreads();
    for (int n = 1; n < 1024; n *= 2) {
      const float left = t >= n ? tile[t - n] : 0;
      __syncthreads();
      tile[t] += left;
      __syncthreads();
    }
    float sum = tile[t];
    if (exclusive) sum = is(7) ? tile[t] - x : t > 0 ? tile[t - 1] : 0;
    else if (is(7)) sum = tile[1023] - (tile[1023] - tile[t]);
    if (i < size) dest[i] = carry + sum;
    carry += tile[1023];
    __syncthreads();
  }
}
__global__ void scan(const float* inp, float* dest, int64_t size) { scan_all(inp, dest, size, false); }
__global__ void exclusive_scan(const float* inp, float* dest, int64_t size) { scan_all(inp, dest, size, true); }
