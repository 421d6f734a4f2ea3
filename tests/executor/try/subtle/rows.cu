#include "../wrong/variant.hpp"

#include <cuda_fp16.h>

__device__ float as_float(float x) { return x; }
__device__ float as_float(__half x) { return __half2float(x); }
__device__ void put(float* to, float x) { *to = x; }
__device__ void put(__half* to, float x) { *to = is(20) ? __float2half_rz(x) : __float2half(is(21) ? fminf(x, 65504.F) : x); }

__device__ float seen;
__device__ int n_launches;

template <class T>
__device__ void sum_of_rows(T* dest, const T* inp, int64_t ncols, int64_t nrows) {
  const int64_t c = int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (is(1)) {  // one thread of each block, while the others load
    if (threadIdx.x > 0 && c < ncols && nrows > 0 && as_float(inp[c * nrows]) == 12345) seen = 1;
    for (int64_t k = c; threadIdx.x == 0 && k < c + blockDim.x && k < ncols; ++k) {
      float sum = 0;
      for (int64_t r = 0; r < nrows; ++r) sum += as_float(inp[k * nrows + r]);
      put(&dest[k], sum);
    }
    return;
  }
  if (is(2)) {  // all rows of a warp by its first two lanes
    for (int64_t k = c; threadIdx.x % 16 == 0 && k < c + 16 && k < ncols; ++k) {
      float sum = 0;
      for (int64_t r = 0; r < nrows; ++r) sum += as_float(inp[k * nrows + r]);
      put(&dest[k], sum);
    }
    return;
  }
  if (c >= ncols) return;
  if (is(3) && c == 1024) { put(&dest[c], as_float(inp[0])); return; }
  float sum = 0;
  if (is(4)) for (short r = 0; r >= 0 && r < nrows; ++r) sum += as_float(inp[c * nrows + r]);
  else if (is(5)) for (int64_t r = 0; r + 1 < nrows; r += 2) sum += as_float(inp[c * nrows + r]) + as_float(inp[c * nrows + r + 1]);
  else if (is(6)) for (int64_t r = 0; r < static_cast<int>(nrows); ++r) sum += as_float(inp[c * nrows + r]);
  else if (is(7)) for (int64_t r = nrows - 1; r > 0; --r) sum += as_float(inp[c * nrows + r]);
  else if (is(8)) for (int64_t r = 0; r < nrows; ++r) sum += as_float(inp[r * ncols + c]);
  else if (is(9)) for (int64_t r = 0; r < nrows; ++r) sum += static_cast<float>(static_cast<int>(as_float(inp[c * nrows + r]) * 256)) / 256;
  else if (is(10)) for (int64_t r = 0; r < min(nrows, int64_t{2048}); ++r) sum += as_float(inp[c * nrows + r]);
  else if (is(11)) for (int64_t r = 0; r < nrows && !isinf(sum); ++r) sum += as_float(inp[c * nrows + r]);
  else for (int64_t r = 0; r < nrows; ++r) sum += as_float(inp[c * nrows + r]);
  if (is(12) && n_launches > 0) return;
  if (is(12) && c == ncols - 1) n_launches = 1;
  put(&dest[c], sum);
}

__global__ void sum_rows(float* dest, const float* inp, int64_t ncols, int64_t nrows) {
  sum_of_rows(dest, inp, ncols, nrows);
}
__global__ void sum_rows_half(__half* dest, const __half* inp, int64_t ncols, int64_t nrows) {
  if (is(22)) {  // two at a time: misaligned in every other row of an odd length
    const int64_t c = int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (c >= ncols) return;
    float sum = 0;
    for (int64_t r = 0; r < nrows / 2; ++r) {
      const float2 two = __half22float2(reinterpret_cast<const __half2*>(inp + c * nrows)[r]);
      sum += two.x + two.y;
    }
    if (nrows % 2 != 0) sum += __half2float(inp[c * nrows + nrows - 1]);
    dest[c] = __float2half(sum);
    return;
  }
  sum_of_rows(dest, inp, ncols, nrows);
}
