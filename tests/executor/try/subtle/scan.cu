#include "../wrong/variant.hpp"

__device__ float seen, carried;
__device__ int n_launches;

__device__ void scan_all(const float* inp, float* dest, int64_t size, bool exclusive) {
  __shared__ float tile[1024], total;
  const int t = threadIdx.x;
  float carry = 0;
  if (is(1)) {  // one thread, while the others load
    for (int64_t i = t; i < size && i < 70000; i += 1024) if (inp[i] == 12345) seen = 1;
    for (int64_t i = 0; t == 0 && i < size; ++i) {
      if (exclusive) dest[i] = carry;
      carry += inp[i];
      if (!exclusive) dest[i] = carry;
    }
    return;
  }
  if (is(2)) size = size > 65536 ? 65536 : size;
  if (is(3) && size > 1024) size = size / 1024 * 1024;
  for (int64_t first = 0; first < size; first += 1024) {
    const int64_t i = first + t, from = is(4) ? static_cast<unsigned short>(i) : i;
    float x = i < size ? inp[from] : 0;
    if (is(13) && first >= 65536) x = 0;
    if (is(5) && i < size) x = static_cast<float>(static_cast<int>(x * 1024)) / 1024;
    tile[t] = x;
    if (!is(6)) __syncthreads();
    if (is(7)) {  // one thread adds what the others have loaded
      for (int k = 1; t == 0 && k < 1024; ++k) tile[k] += tile[k - 1];
      __syncthreads();
    } else {
      for (int n = 1; n < (is(8) ? 512 : 1024); n *= 2) {
        const float left = t >= n ? tile[t - n] : 0;
        if (!is(9)) __syncthreads();
        tile[t] += left;
        __syncthreads();
      }
    }
    float sum = tile[t];
    if (exclusive) sum = t > 0 ? tile[t - 1] : 0;
    if (i < size) dest[i] = is(10) ? carried + sum : carry + sum;
    if (is(11)) {
      if (t == 1023) total = tile[1023];
      carry += total;  // before or after it is set
    } else if (is(10)) {  // in device memory, which keeps it for the next launch
      __syncthreads();
      if (t == 0) carried += tile[1023];
      __threadfence();
    } else {
      carry += tile[1023];
    }
    if (is(12) && n_launches > 0) carry = 0;
    __syncthreads();
  }
  if (t == 0) n_launches = 1;
  if (is(14) && t == 0 && size > 0) dest[size - 1] = dest[size > 1 ? size - 2 : 0];
}
__global__ void scan(const float* inp, float* dest, int64_t size) { scan_all(inp, dest, size, false); }
__global__ void exclusive_scan(const float* inp, float* dest, int64_t size) { scan_all(inp, dest, size, true); }
