// expect: race kernel=publish line=7 other=14 space=global
// The fence comes after the flag: the flag may become visible before the data.
#include <cuda_runtime.h>

__global__ void publish(int* data, int* flag, int* out) {
  if (blockIdx.x == 0) {
    *data = 17;
    atomicExch(flag, 1);
    __threadfence();
  } else {
    while (atomicAdd(flag, 0) == 0) {
    }
    __threadfence();
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
  publish<<<2, 1>>>(data, flag, out);
  cudaDeviceSynchronize();
  cudaFree(data);
  cudaFree(flag);
  cudaFree(out);
  return 0;
}
