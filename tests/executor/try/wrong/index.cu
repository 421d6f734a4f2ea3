#include "variant.hpp"

#include <cstdio>

__device__ bool is_bad(int64_t b, int64_t n) {
  if (is(1)) return b >= n || static_cast<int>(b) < 0;
  if (is(2)) return b >= n || static_cast<int64_t>(0 - static_cast<uint64_t>(b)) > 0;
  if (is(3)) return static_cast<int>(b) < 0 || static_cast<int>(b) >= n;
  if (is(4)) return b < 0 || b > (n > 0 ? n - 1 : 0);
  if (is(5)) return b < 0 || b > n;
  if (is(6)) return b < -(int64_t{1} << 40) ? false : b < 0 || b >= n;
  return b < 0 || b >= n;
}

__global__ void index(float* dest, const float* a, const int64_t* b, int64_t aSize, int64_t bSize) {
  int64_t i = int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (is(7)) i = static_cast<int>(i);
  if (is(8)) i = static_cast<unsigned>(i);
  if (is(9)) bSize = static_cast<int>(bSize);
  if (i < 0 || i >= bSize) return;
  if (is(10) && i > 0) return;
  for (int64_t k = i, end = is(10) ? bSize : i + 1; k < end; ++k) {
    if (is_bad(b[k], aSize)) {
      printf("b[%lld] = %lld is out of range\n", static_cast<long long>(k), static_cast<long long>(b[k]));
      if (is(11)) dest[k] = 99;
      continue;
    }
    const int64_t from = is(12) ? static_cast<int>(b[k]) : is(13) ? static_cast<unsigned>(b[k]) : b[k];
    dest[k] = is(14) ? a[from] + 0.F : a[from];
  }
}
