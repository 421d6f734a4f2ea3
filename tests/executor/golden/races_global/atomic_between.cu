// expect: race kernel=count line=8 other=11 space=global
// Both stores leave the final value unchanged, but they store different values: an atomic update between them changed
// the counter.
#include <cuda_runtime.h>

__global__ void count(int* counter) {
  if (blockIdx.x == 0) {
    *counter = 5;
    atomicAdd(counter, 2);
  } else {
    *counter = 7;
  }
}

int main() {
  int* counter;
  cudaMalloc(&counter, sizeof(int));
  count<<<2, 1>>>(counter);
  cudaDeviceSynchronize();
  cudaFree(counter);
  return 0;
}
