// expect: clean
// The variable is copied from its symbol.
#include <cuda_runtime.h>
#include <stdio.h>

__device__ int hits;

__global__ void count() { atomicAdd(&hits, 1); }

int main() {
  int value = 0;
  count<<<2, 32>>>();
  cudaDeviceSynchronize();
  cudaMemcpyFromSymbol(&value, hits, sizeof(value));
  printf("%d hits\n", value);
  return 0;
}
