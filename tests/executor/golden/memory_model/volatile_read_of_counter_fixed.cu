// expect: clean
// options: --strict
// An atomic reads the counter.
#include <cuda_runtime.h>

__global__ void count(int* total, int* out) {
  if (blockIdx.x == 0) {
    atomicAdd(total, 1);
  } else {
    *out = atomicAdd(total, 0);
  }
}

int main() {
  int *total, *out;
  cudaMalloc(&total, sizeof(int));
  cudaMalloc(&out, sizeof(int));
  cudaMemset(total, 0, sizeof(int));
  cudaMemset(out, 0, sizeof(int));
  count<<<2, 1>>>(total, out);
  cudaDeviceSynchronize();
  cudaFree(total);
  cudaFree(out);
  return 0;
}
