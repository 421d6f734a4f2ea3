#include "variant.hpp"

__global__ void zero(float* dest) {
  const int t = threadIdx.x;
  if (is(1)) dest[t] *= 0;
  else if (is(2)) dest[t] -= dest[t];
  else if (is(3)) dest[t] = dest[t] > 1 ? 0 : dest[t];
  else if (is(4)) for (int i = 0; t == 0 && i < blockDim.x; ++i) dest[i] = 0;
  else if (is(5)) { if (t < 64) dest[t] = 0; }
  else if (is(6)) dest[t] = -0.F;
  else if (is(7)) { if (dest[t] == dest[t]) dest[t] = 0; }
  else dest[t] = 0;
}

__global__ void one(float* dest) {
  const int t = threadIdx.x;
  if (is(1)) dest[t] /= dest[t];
  else if (is(2)) { if (dest[t] > 0) dest[t] = 1; }
  else if (is(3)) for (int i = 0; t == 0 && i < blockDim.x; ++i) dest[i] = 1;
  else if (is(4)) dest[t] = dest[t] - dest[t] + 1;
  else dest[t] = 1;
}
