// expect: clean
// The store is in a separate launch.
#include <cuda_runtime.h>

__global__ void set(int* total) { *total = 3; }

__global__ void sum(int* total) {
  if (blockIdx.x == 0) atomicAdd(total, 3);
}

int main() {
  int* total;
  cudaMalloc(&total, sizeof(int));
  cudaMemset(total, 0, sizeof(int));
  set<<<1, 1>>>(total);
  sum<<<2, 1>>>(total);
  cudaDeviceSynchronize();
  cudaFree(total);
  return 0;
}
