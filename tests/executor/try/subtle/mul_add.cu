#include "../wrong/variant.hpp"

#include <cuda_fp16.h>

__device__ int n_launches;
__device__ float seen;

__global__ void mul_add(float* dest, const float* a, const float* b, const float* c) {
  const int i = threadIdx.x, n = blockDim.x;
  if (is(1)) {  // one thread, while the others load
    if (i > 0 && a[i] + b[i] + c[i] == 12345) seen = 1;
    for (int k = 0; i == 0 && k < n; ++k) dest[k] = a[k] * b[k] + c[k];
    return;
  }
  if (is(2)) {  // 16 elements in a thread
    for (int k = 16 * i; k < 16 * i + 16 && k < n; ++k) dest[k] = a[k] * b[k] + c[k];
    return;
  }
  if (is(3) && i % 32 == 31 && i + 1 == n) return;
  float x = a[i], y = b[i], z = c[i];
  if (is(4)) z = c[(i + 1) % n];
  if (is(5)) x = __half2float(__float2half(x));
  if (is(6)) y = i >= 512 ? b[i - 512] : y;
  if (is(7) && (x == 0 || y == 0)) { dest[i] = z; return; }
  float sum = x * y + z;
  if (is(8)) sum = __fadd_rz(__fmul_rz(x, y), z);
  if (is(9)) sum = static_cast<float>(static_cast<int>(sum * 64)) / 64;
  if (is(10)) sum = isnan(sum) ? z : sum;
  if (is(11) && n_launches > 0) sum = 0;
  __syncthreads();
  if (i == 0) ++n_launches;
  dest[is(12) && n == 33 ? (i + 1) % n : i] = is(13) ? fmaxf(sum, -1e30F) : sum;
}
