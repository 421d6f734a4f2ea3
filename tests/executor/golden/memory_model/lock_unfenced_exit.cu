// expect: race kernel=total line=9 other=9 space=global
// No fence precedes the release of the lock: the next owner may not see the sum.
#include <cuda_runtime.h>

__device__ void add(int* lock, int* sum, int n) {
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  __threadfence();
  *sum = *sum + n;
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
