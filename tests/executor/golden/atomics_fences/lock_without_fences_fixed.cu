// expect: clean
// A fence after acquiring the lock and one before releasing it.
#include <cuda_runtime.h>

__global__ void deposit(int* lock, int* balance) {
  if (threadIdx.x != 0) return;
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  __threadfence();
  *balance += blockIdx.x + 1;
  __threadfence();
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
