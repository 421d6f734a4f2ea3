// expect: clean
// options: --strict
// Errors that the program checks: by the call's result, or later by the last error.
#include <cuda_runtime.h>
#include <stdio.h>

__global__ void fill(float* values) { values[threadIdx.x] = 1; }

int main() {
  float* values;
  float host[4] = {};
  if (cudaMalloc(&values, sizeof host) != cudaSuccess) return 1;
  if (cudaMemcpy(values, host, sizeof host, static_cast<cudaMemcpyKind>(9)) != cudaSuccess) printf("as expected\n");
  cudaError_t error = cudaMemcpy(values, host, sizeof host, static_cast<cudaMemcpyKind>(9));
  if (error != cudaSuccess) printf("%s\n", cudaGetErrorString(error));
  cudaMemcpy(values, host, sizeof host, static_cast<cudaMemcpyKind>(9));
  if (cudaGetLastError() != cudaSuccess) printf("seen\n");
  fill<<<1, 4>>>(values);
  cudaDeviceSynchronize();
  cudaFree(values);
  return 0;
}
