// expect: race kernel=total line=8 other=13 space=global
// expect: race kernel=total line=11 other=11 space=global
// Threads of two blocks acquire a block-scope lock.
#include <cuda_runtime.h>

__global__ void total(int* lock, int* sum) {
  if (threadIdx.x % 32 != 0) return;
  while (atomicCAS_block(lock, 0, 1) != 0) {
  }
  __threadfence_block();
  *sum = *sum + 1;
  __threadfence_block();
  atomicExch_block(lock, 0);
}

int main() {
  int *lock, *sum;
  cudaMalloc(&lock, sizeof(int));
  cudaMalloc(&sum, sizeof(int));
  cudaMemset(lock, 0, sizeof(int));
  cudaMemset(sum, 0, sizeof(int));
  total<<<2, 64>>>(lock, sum);
  cudaDeviceSynchronize();
  cudaFree(lock);
  cudaFree(sum);
  return 0;
}
