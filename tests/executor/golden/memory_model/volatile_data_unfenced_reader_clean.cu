// expect: clean
// options: --strict
// Volatile loads after a flag need no fence: neither the compiler nor a cache reorders them.
#include <cuda_runtime.h>

__global__ void relay(volatile int* data, volatile int* flag, int* out) {
  if (blockIdx.x == 0) {
    *data = 23;
    __threadfence();
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
