// expect: race kernel=relay line=7 other=12 space=global
// A volatile flag without a fence does not order the data it publishes.
#include <cuda_runtime.h>

__global__ void relay(int* data, volatile int* flag, int* out) {
  if (blockIdx.x == 0) {
    *data = 23;
    *flag = 1;
  } else {
    while (*flag == 0) {
    }
    *out = *data + 1;
  }
}

int main() {
  int *data, *flag, *out;
  cudaMalloc(&data, sizeof(int));
  cudaMalloc(&flag, sizeof(int));
  cudaMalloc(&out, sizeof(int));
  cudaMemset(data, 0, sizeof(int));
  cudaMemset(flag, 0, sizeof(int));
  relay<<<2, 1>>>(data, flag, out);
  cudaDeviceSynchronize();
  cudaFree(data);
  cudaFree(flag);
  cudaFree(out);
  return 0;
}
