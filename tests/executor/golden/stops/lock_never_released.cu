// expect: no_progress kernel=add line=8
// options: --time-limit 1
// One path through the critical section does not release the lock.
#include <cuda_runtime.h>

__global__ void add(int* lock, int* sum) {
  if (threadIdx.x != 0) return;
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  __threadfence();
  if (*sum > 2) return;
  *sum += 1;
  __threadfence();
  atomicExch(lock, 0);
}

int main() {
  int *lock, *sum;
  cudaMalloc(&lock, sizeof(int));
  cudaMalloc(&sum, sizeof(int));
  cudaMemset(lock, 0, sizeof(int));
  cudaMemset(sum, 0, sizeof(int));
  add<<<6, 32>>>(lock, sum);
  cudaDeviceSynchronize();
  cudaFree(lock);
  cudaFree(sum);
  return 0;
}
