// expect: clean
// The kernel reads the constant and writes elsewhere.
#include <cuda_runtime.h>

__constant__ float coefficients[4] = {1.0f, 2.0f, 3.0f, 4.0f};

__global__ void tweak(float* table, float* out) {
  int i = threadIdx.x;
  table[i + 4] = 0.5f * i;
  out[i] = coefficients[i];
}

int main() {
  float *out, *table;
  cudaMalloc(&out, 8 * sizeof(float));
  table = out;
  tweak<<<1, 4>>>(table, out);
  cudaDeviceSynchronize();
  cudaFree(out);
  return 0;
}
