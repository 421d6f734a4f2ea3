#include "../wrong/variant.hpp"

#include <cstdio>

__device__ float seen;
__device__ int n_launches;

__global__ void index(float* dest, const float* a, const int64_t* b, int64_t aSize, int64_t bSize) {
  const int64_t i = int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (is(1)) {  // one thread of each block, while the others load
    if (threadIdx.x > 0 && i < bSize && b[i] == 12345678) seen = 1;
    for (int64_t k = i; threadIdx.x == 0 && k < i + blockDim.x && k < bSize; ++k) {
      if (b[k] < 0 || b[k] >= aSize) printf("%lld\n", static_cast<long long>(b[k]));
      else dest[k] = a[b[k]];
    }
    return;
  }
  if (i >= bSize) return;
  const int64_t at = b[i];
  bool is_bad = at < 0 || at >= aSize;
  if (is(2)) is_bad = llabs(at) >= aSize;
  if (is(3)) is_bad = static_cast<double>(at) < 0 || static_cast<float>(at) >= static_cast<float>(aSize);
  if (is(4)) is_bad = at < 0 || at >= static_cast<int>(aSize);
  if (is(5)) printf("b[%lld] = %lld\n", static_cast<long long>(i), static_cast<long long>(at));  // good ones, too
  if (is_bad) {
    if (is(6) && at < 0) return;
    if (is(7)) printf("out of range: %d\n", static_cast<int>(at));
    else if (is(8)) printf("out of range: %d\n", static_cast<int>(i) + 1);
    else if (is(9)) { if (threadIdx.x % 2 == 1) printf("%lld\n", static_cast<long long>(at)); }
    else if (!is(5)) printf("%lld\n", static_cast<long long>(at));
    if (is(10)) dest[i] = dest[i] + 0.F;
    if (is(10) || is(11)) dest[i] = is(11) ? 0 : dest[i];
    return;
  }
  if (is(12) && n_launches > 0) return;
  dest[i] = is(13) ? a[at % 4096] : a[at];
  if (is(12) && i == 0) n_launches = 1;
}
