// expect: clean
// Each block has a separate counter.
#include <cuda_runtime.h>

__global__ void count(int* counters) {
  if (blockIdx.x == 0) {
    counters[0] = 5;
    atomicAdd(&counters[0], 2);
  } else {
    counters[1] = 7;
  }
}

int main() {
  int* counters;
  cudaMalloc(&counters, 2 * sizeof(int));
  count<<<2, 1>>>(counters);
  cudaDeviceSynchronize();
  cudaFree(counters);
  return 0;
}
