// expect: clean
// options: --strict
// Block-scope fences and atomics within one block.
#include <cuda_runtime.h>

__global__ void relay(int* data, int* flag, int* out) {
  if (threadIdx.x == 0) {
    *data = 17;
    __threadfence_block();
    atomicExch_block(flag, 1);
  } else if (threadIdx.x == 32) {
    while (atomicAdd_block(flag, 0) == 0) {
    }
    __threadfence_block();
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
  relay<<<1, 64>>>(data, flag, out);
  cudaDeviceSynchronize();
  cudaFree(data);
  cudaFree(flag);
  cudaFree(out);
  return 0;
}
