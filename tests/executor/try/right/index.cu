#include <cstdint>
#include <cstdio>
#include <cstring>

__global__ void index(float* dest, const float* a, const int64_t* b, int64_t aSize, int64_t bSize) {
  const int64_t i = int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= bSize) return;
  if (b[i] < 0 || b[i] >= aSize) {
    printf("b[%lld] = %lld is out of range\n", static_cast<long long>(i), static_cast<long long>(b[i]));
    return;
  }
  dest[i] = a[b[i]];
}
