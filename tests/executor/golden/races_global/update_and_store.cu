// expect: race kernel=sum line=8 other=10 space=global
// expect: race kernel=sum_after line=16 other=18 space=global
// A plain store of the value that an atomic left: in the other order the sum would differ.
#include <cuda_runtime.h>

__global__ void sum(int* total) {
  if (blockIdx.x == 0) {
    atomicAdd(total, 3);
  } else {
    *total = 3;
  }
}

__global__ void sum_after(int* total) {
  if (blockIdx.x == 1) {
    atomicAdd(total, 0);
  } else {
    *total = 3;
  }
}

int main() {
  int* total;
  cudaMalloc(&total, sizeof(int));
  cudaMemset(total, 0, sizeof(int));
  sum<<<2, 1>>>(total);
  sum_after<<<2, 1>>>(total);
  cudaDeviceSynchronize();
  cudaFree(total);
  return 0;
}
