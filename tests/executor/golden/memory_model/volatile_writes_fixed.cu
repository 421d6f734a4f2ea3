// expect: clean
// options: --strict
// A lock orders the two writes.
#include <cuda_runtime.h>

__global__ void place(volatile int* data, int* lock) {
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  __threadfence();
  if (blockIdx.x == 0) {
    *data = 1;
  } else {
    *data = 2;
  }
  __threadfence();
  atomicExch(lock, 0);
}

int main() {
  int *data, *lock;
  cudaMalloc(&data, sizeof(int));
  cudaMalloc(&lock, sizeof(int));
  cudaMemset(data, 0, sizeof(int));
  cudaMemset(lock, 0, sizeof(int));
  place<<<2, 1>>>(data, lock);
  cudaDeviceSynchronize();
  cudaFree(data);
  cudaFree(lock);
  return 0;
}
