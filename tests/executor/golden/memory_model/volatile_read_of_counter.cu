// expect: unordered_volatile kernel=count line=8 other=10 space=global
// options: --strict
// A volatile load reads a counter while other threads add to it.
#include <cuda_runtime.h>

__global__ void count(int* total, int* out) {
  if (blockIdx.x == 0) {
    atomicAdd(total, 1);
  } else {
    *out = *static_cast<volatile int*>(total);
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
