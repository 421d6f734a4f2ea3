// expect: race kernel=publish line=7 other=16 space=global
// The flag is atomic, but no fence orders the data before it.
#include <cuda_runtime.h>

__global__ void publish(int* data, int* flag, int* out) {
  if (blockIdx.x == 0) {
    data[threadIdx.x] = threadIdx.x * 3 + 1;
    __syncthreads();
    if (threadIdx.x == 0) atomicExch(flag, 1);
  } else {
    if (threadIdx.x == 0) {
      while (atomicAdd(flag, 0) == 0) {
      }
    }
    __syncthreads();
    out[threadIdx.x] = data[31 - threadIdx.x];
  }
}

int main() {
  int *data, *flag, *out;
  cudaMalloc(&data, 32 * sizeof(int));
  cudaMalloc(&flag, sizeof(int));
  cudaMalloc(&out, 32 * sizeof(int));
  cudaMemset(data, 0, 32 * sizeof(int));
  cudaMemset(flag, 0, sizeof(int));
  publish<<<2, 32>>>(data, flag, out);
  cudaDeviceSynchronize();
  cudaFree(data);
  cudaFree(flag);
  cudaFree(out);
  return 0;
}
