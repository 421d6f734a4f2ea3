// expect: missing_acquire kernel=total line=9 other=9 space=global
// options: --strict
// No fence follows the acquisition of the lock: the critical section may read values older than the lock.
#include <cuda_runtime.h>

__device__ void add(int* lock, int* sum, int n) {
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  *sum = *sum + n;
  __threadfence();
  atomicExch(lock, 0);
}

__global__ void total(int* lock, int* sum) { add(lock, sum, blockIdx.x + 1); }

int main() {
  int *lock, *sum;
  cudaMalloc(&lock, sizeof(int));
  cudaMalloc(&sum, sizeof(int));
  cudaMemset(lock, 0, sizeof(int));
  cudaMemset(sum, 0, sizeof(int));
  total<<<3, 1>>>(lock, sum);
  cudaDeviceSynchronize();
  cudaFree(lock);
  cudaFree(sum);
  return 0;
}
