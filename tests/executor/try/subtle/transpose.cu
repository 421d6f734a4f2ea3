#include "../wrong/variant.hpp"

#include <cuda_fp16.h>

__device__ float seen;
__device__ int n_launches;

__global__ void transpose(const float* inp, float* dest, int64_t nrows, int64_t ncols) {
  __shared__ float tile[32][33];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int64_t x0 = int64_t{blockIdx.x} * 32, y0 = int64_t{blockIdx.y} * 32, x = x0 + tx, y = y0 + ty;
  if (is(1)) {  // one thread for each row of a block, while the others load
    if (tx > 0 && x < ncols && y < nrows && inp[y * ncols + x] == 12345.678F) seen = 1;
    for (int64_t c = x; tx == 0 && c < x + 32 && c < ncols && y < nrows; ++c) dest[c * nrows + y] = inp[y * ncols + c];
    return;
  }
  if (is(2)) {  // one thread of a block, while the others load
    if (tx + ty > 0 && x < ncols && y < nrows && inp[y * ncols + x] == 12345.678F) seen = 1;
    for (int64_t r = y; tx + ty == 0 && r < y + 32 && r < nrows; ++r) {
      for (int64_t c = x; c < x + 32 && c < ncols; ++c) dest[c * nrows + r] = inp[r * ncols + c];
    }
    return;
  }
  if (is(3) && (x0 + 32 > ncols || y0 + 32 > nrows) && (x >= ncols || y >= nrows)) return;  // before a barrier
  if (x < ncols && y < nrows) tile[ty][tx] = inp[y * ncols + x];
  if (!is(4)) __syncthreads();
  const int64_t to_row = x0 + ty, to_col = y0 + tx;
  const bool inside = is(5) ? x < ncols && y < nrows : to_row < ncols && to_col < nrows;
  if (is(6) && !(x0 + 32 <= ncols || y0 + 32 <= nrows)) return;
  if (!inside) return;
  float value = tile[tx][ty];
  if (is(7)) value = tile[ty][tx];
  if (is(8)) value = __int_as_float(__float_as_int(value) & ~1);
  if (is(9)) value = fabsf(value) < 1e-38F ? copysignf(0, value) : value;
  if (is(10)) value = isnan(value) ? NAN * -1 : value;
  if (is(11) && n_launches > 0) return;
  if (is(11) && to_row == ncols - 1 && to_col == nrows - 1) n_launches = 1;
  dest[is(12) ? to_row * (nrows + 31) / 32 * 32 / 32 + to_col : to_row * nrows + to_col] = value;
}
