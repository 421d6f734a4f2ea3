// expect: race kernel=deposit line=9 other=9 space=global
// The lock provides mutual exclusion, but without fences the next owner need not see what was written.
#include <cuda_runtime.h>

__global__ void deposit(int* lock, int* balance) {
  if (threadIdx.x != 0) return;
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  *balance += blockIdx.x + 1;
  atomicExch(lock, 0);
}

int main() {
  int *lock, *balance;
  cudaMalloc(&lock, sizeof(int));
  cudaMalloc(&balance, sizeof(int));
  cudaMemset(lock, 0, sizeof(int));
  cudaMemset(balance, 0, sizeof(int));
  deposit<<<8, 32>>>(lock, balance);
  cudaDeviceSynchronize();
  cudaFree(lock);
  cudaFree(balance);
  return 0;
}
