// expect: unordered_volatile kernel=place line=8 other=10 space=global
// options: --strict
// Two blocks write different values through volatile pointers; the final value is undetermined.
#include <cuda_runtime.h>

__global__ void place(volatile int* data, int* lock) {
  if (blockIdx.x == 0) {
    *data = 1;
  } else {
    *data = 2;
  }
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
