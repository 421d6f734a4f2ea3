// expect: unordered_volatile kernel=relay line=10 other=15 space=global
// expect: unordered_volatile kernel=relay line=11 other=13 space=global
// options: --strict
// Volatile data published by a volatile flag without a fence: the order of the two stores is not guaranteed.
// The accesses to the flag are therefore unordered too.
#include <cuda_runtime.h>

__global__ void relay(volatile int* data, volatile int* flag, int* out) {
  if (blockIdx.x == 0) {
    *data = 23;
    *flag = 1;
  } else {
    while (*flag == 0) {
    }
    *out = *data;
  }
}

int main() {
  int *data, *flag, *out;
  cudaMalloc(&data, sizeof(int));
  cudaMalloc(&flag, sizeof(int));
  cudaMalloc(&out, sizeof(int));
  cudaMemset(data, 0, sizeof(int));
  cudaMemset(flag, 0, sizeof(int));
  cudaMemset(out, 0, sizeof(int));
  relay<<<2, 1>>>(data, flag, out);
  cudaDeviceSynchronize();
  cudaFree(data);
  cudaFree(flag);
  cudaFree(out);
  return 0;
}
