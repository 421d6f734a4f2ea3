// expect: missing_acquire kernel=relay line=8 other=18 space=global
// options: --strict
// One thread reads the flag for its block. A block barrier is no fence for writes of another block.
#include <cuda_runtime.h>

__global__ void relay(int* data, int* flag, int* out) {
  if (blockIdx.x == 0) {
    data[threadIdx.x] = threadIdx.x;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) atomicExch(flag, 1);
  } else {
    if (threadIdx.x == 0) {
      while (atomicAdd(flag, 0) == 0) {
      }
    }
    __syncthreads();
    out[threadIdx.x] = data[63 - threadIdx.x];
  }
}

int main() {
  int *data, *flag, *out;
  cudaMalloc(&data, 64 * sizeof(int));
  cudaMalloc(&flag, sizeof(int));
  cudaMalloc(&out, 64 * sizeof(int));
  cudaMemset(data, 0, 64 * sizeof(int));
  cudaMemset(flag, 0, sizeof(int));
  cudaMemset(out, 0, 64 * sizeof(int));
  relay<<<2, 64>>>(data, flag, out);
  cudaDeviceSynchronize();
  cudaFree(data);
  cudaFree(flag);
  cudaFree(out);
  return 0;
}
