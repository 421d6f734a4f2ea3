#include "variant.hpp"

__global__ void mul_add(float* dest, const float* a, const float* b, const float* c) {
  const int i = threadIdx.x;
  if (is(8)) {
    for (int k = 0; i == 0 && k < blockDim.x; ++k) dest[k] = a[k] * b[k] + c[k];
    return;
  }
  float sum = a[i] * b[i] + c[i];
  if (is(1)) sum = b[i] == 0 ? c[i] : sum;
  if (is(2)) sum = rounded(sum * 8) / 8;
  if (is(3)) sum = c[i] == c[i] ? sum : a[i] * b[i];
  if (is(4)) sum = fminf(fmaxf(sum, -1e30F), 1e30F);
  if (is(5)) sum = (a[i] + c[i] / b[i]) * b[i];
  if (is(6)) sum = fabsf(c[i]) < INFINITY ? sum : c[i];
  if (is(7) && i >= 128) return;
  dest[i] = sum;
}
