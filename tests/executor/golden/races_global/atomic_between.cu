// expect: race kernel=count line=8 other=11 space=global
// Two blocks store what happens to be the same as what stands there, but not what the other one stored: between the two
// an atomic changed it.
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
