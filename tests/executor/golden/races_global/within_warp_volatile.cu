// expect: race kernel=sum line=10 other=11 space=global
// allow: race kernel=sum line=11 other=11 space=global
// allow: race kernel=sum line=11 other=10 space=global
// The kernel assumes lanes in lockstep: volatile orders nothing between them.
#include <cuda_runtime.h>

__global__ void sum(int* data, int* out) {
  volatile int* values = data + blockIdx.x * 32;
  if (threadIdx.x < 16) {
    values[threadIdx.x] += values[threadIdx.x + 16];
    values[threadIdx.x] += values[threadIdx.x + 8];
  }
  if (threadIdx.x == 0) out[blockIdx.x] = values[0];
}

int main() {
  int *data, *out;
  cudaMalloc(&data, 64 * sizeof(int));
  cudaMalloc(&out, 2 * sizeof(int));
  cudaMemset(data, 0, 64 * sizeof(int));
  sum<<<2, 32>>>(data, out);
  cudaDeviceSynchronize();
  cudaFree(data);
  cudaFree(out);
  return 0;
}
