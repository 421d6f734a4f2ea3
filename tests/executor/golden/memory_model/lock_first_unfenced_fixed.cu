// expect: clean
// options: --strict
// Both blocks have a fence after acquiring the lock.
#include <cuda_runtime.h>

__global__ void total(int* lock, int* sum) {
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  if (blockIdx.x == 0) {
    __threadfence();
    *sum = 1;
  } else {
    __threadfence();
    *sum = 2;
  }
  __threadfence();
  atomicExch(lock, 0);
}

int main() {
  int *lock, *sum;
  cudaMalloc(&lock, sizeof(int));
  cudaMalloc(&sum, sizeof(int));
  cudaMemset(lock, 0, sizeof(int));
  cudaMemset(sum, 0, sizeof(int));
  total<<<2, 1>>>(lock, sum);
  cudaDeviceSynchronize();
  cudaFree(lock);
  cudaFree(sum);
  return 0;
}
