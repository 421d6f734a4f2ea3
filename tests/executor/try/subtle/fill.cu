#include "../wrong/variant.hpp"

__device__ int n_launches;
__device__ float seen;

__device__ void fill(float* dest, float value) {
  const int t = threadIdx.x, n = blockDim.x;
  if (is(1)) dest[t ^ 1] = value;
  else if (is(2)) for (int i = 0; t % 4 == 0 && i < 4; ++i) dest[t + i] = value;
  else if (is(3)) reinterpret_cast<char*>(dest)[4 * t] = 0, reinterpret_cast<char*>(dest)[4 * t + 3] = 0;
  else if (is(4)) dest[t] = fminf(fmaxf(dest[t], value), value + 1e-3F);
  else if (is(5)) {  // one thread, while the others load
    if (t > 0 && dest[t] == 12345) seen = 1;
    __syncthreads();
    for (int i = 0; t == 0 && i < n; ++i) dest[i] = value;
  } else if (is(6)) { if (t < 4) for (int i = t; i < n; i += 4) dest[i] = value; }
  else if (is(7)) { if (n_launches == 0) dest[t] = value; __syncthreads(); if (t == 0) ++n_launches; }
  else if (is(8)) { if (t % 1000 != 999) dest[t] = value; }
  else if (is(9)) dest[t] = dest[t] < 0 ? -value : value;
  else if (is(10)) { if (t < (n / 32) * 32 || n < 32) dest[t] = value; }
  else if (is(11)) dest[t] = isinf(dest[t]) ? dest[t] : value;
  else dest[t] = value;
}

__global__ void zero(float* dest) { fill(dest, 0); }
__global__ void one(float* dest) { fill(dest, 1); }
