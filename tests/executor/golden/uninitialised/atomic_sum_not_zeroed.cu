// expect: uninitialised kernel=total line=7 space=global
// Atomics add to uninitialised memory.
#include <cuda_runtime.h>

__global__ void total(const int* in, int* sum, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(sum, in[i]);
}

int main() {
  const int n = 100;
  int *in, *sum;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&sum, sizeof(int));
  cudaMemset(in, 1, n * sizeof(int));
  total<<<2, 64>>>(in, sum, n);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(sum);
  return 0;
}
