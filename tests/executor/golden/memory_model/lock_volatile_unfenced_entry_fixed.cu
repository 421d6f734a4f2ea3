// expect: clean
// options: --strict
// Fences at both ends of the critical section.
#include <cuda_runtime.h>

__device__ void add(int* lock, volatile int* sum, int n) {
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  __threadfence();
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
