// expect: missing_acquire kernel=total line=10 other=13 space=global
// options: --strict
// Only the block that happens to be first acquires the lock without a fence; it would be wrong if it came second.
#include <cuda_runtime.h>

__global__ void total(int* lock, int* sum) {
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  if (blockIdx.x == 0) {
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
