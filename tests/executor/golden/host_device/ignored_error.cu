// expect: ignored_error kernel=- line=12
// options: --strict
// A copy with an invalid direction fails, and the program ignores the error.
#include <cuda_runtime.h>

__global__ void fill(float* values) { values[threadIdx.x] = 1; }

int main() {
  float* values;
  float host[4] = {};
  cudaMalloc(&values, sizeof host);
  cudaMemcpy(values, host, sizeof host, static_cast<cudaMemcpyKind>(9));
  fill<<<1, 4>>>(values);
  cudaDeviceSynchronize();
  cudaFree(values);
  return 0;
}
