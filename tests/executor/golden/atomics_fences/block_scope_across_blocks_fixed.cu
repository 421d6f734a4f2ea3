// expect: clean
// Block scope for a counter of one block, device scope for a counter of all blocks.
#include <cuda_runtime.h>

__global__ void count(int* total, int* per_block) {
  atomicAdd_block(&per_block[blockIdx.x], 1);
  atomicAdd(total, 1);
}

int main() {
  int *total, *per_block;
  cudaMalloc(&total, sizeof(int));
  cudaMalloc(&per_block, 4 * sizeof(int));
  cudaMemset(total, 0, sizeof(int));
  cudaMemset(per_block, 0, 4 * sizeof(int));
  count<<<4, 64>>>(total, per_block);
  cudaDeviceSynchronize();
  cudaFree(total);
  cudaFree(per_block);
  return 0;
}
