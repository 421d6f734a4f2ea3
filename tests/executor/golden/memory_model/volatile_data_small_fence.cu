// expect: unordered_volatile kernel=relay line=8 other=15 space=global
// options: --strict
// The fence before the flag has block scope.
#include <cuda_runtime.h>

__global__ void relay(volatile int* data, int* flag, int* out) {
  if (blockIdx.x == 0) {
    *data = 23;
    __threadfence_block();
    atomicExch(flag, 1);
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
  relay<<<2, 1>>>(data, flag, out);
  cudaDeviceSynchronize();
  cudaFree(data);
  cudaFree(flag);
  cudaFree(out);
  return 0;
}
