#include "variant.hpp"

__global__ void transpose(const float* inp, float* dest, int64_t nrows, int64_t ncols) {
  int64_t x = int64_t{blockIdx.x} * blockDim.x + threadIdx.x, y = int64_t{blockIdx.y} * blockDim.y + threadIdx.y;
  if (is(1)) x = static_cast<int>(x);
  if (is(2)) x = static_cast<unsigned>(x);
  if (is(3)) ncols = static_cast<int>(ncols);
  if (x < 0 || x >= ncols || y >= nrows) return;
  if (is(4) && x % 32 > 0) return;
  for (int64_t c = x; c < x + (is(4) ? 32 : 1) && c < ncols; ++c) {
    int64_t from = y * ncols + c, to = c * nrows + y;
    if (is(5)) from = static_cast<unsigned>(from);
    if (is(6)) to = static_cast<unsigned>(to);
    if (is(7) && from > INT32_MAX) from = 0;
    dest[to] = is(8) ? inp[from] + 0.F : inp[from];
  }
}
