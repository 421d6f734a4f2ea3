// expect: write_to_constant kernel=tweak line=9
// A kernel writes to constant memory through a pointer.
#include <cuda_runtime.h>

__constant__ float coefficients[4] = {1.0f, 2.0f, 3.0f, 4.0f};

__global__ void tweak(float* table, float* out) {
  int i = threadIdx.x;
  table[i] = 0.5f * i;
  out[i] = coefficients[i];
}

int main() {
  float *out, *table;
  cudaMalloc(&out, 8 * sizeof(float));
  cudaGetSymbolAddress((void**)&table, coefficients);
  tweak<<<1, 4>>>(table, out);
  cudaDeviceSynchronize();
  cudaFree(out);
  return 0;
}
