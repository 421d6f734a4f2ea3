// expect: clean
// options: --strict
// Threads of several warps set one flag to the same value.
#include <cuda_runtime.h>

__global__ void mark(volatile int* changed, const int* in) {
  if (threadIdx.x % 32 == 0 && in[threadIdx.x] == 0) *changed = 1;
}

int main() {
  int *changed, *in;
  cudaMalloc(&changed, sizeof(int));
  cudaMalloc(&in, 64 * sizeof(int));
  cudaMemset(changed, 0, sizeof(int));
  cudaMemset(in, 0, 64 * sizeof(int));
  mark<<<2, 64>>>(changed, in);
  cudaDeviceSynchronize();
  cudaFree(changed);
  cudaFree(in);
  return 0;
}
