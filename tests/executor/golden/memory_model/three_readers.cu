// expect: race kernel=reuse line=7 other=14 space=global
// Three blocks read; the writer waits for two of them.
#include <cuda_runtime.h>

__global__ void reuse(int* data, int* done, int* out) {
  if (blockIdx.x < 3) {
    out[blockIdx.x] = *data;
    __threadfence();
    if (blockIdx.x != 2) atomicAdd(done, 1);
  } else {
    while (atomicAdd(done, 0) < 2) {
    }
    __threadfence();
    *data = 1;
  }
}

int main() {
  int *data, *done, *out;
  cudaMalloc(&data, sizeof(int));
  cudaMalloc(&done, sizeof(int));
  cudaMalloc(&out, 4 * sizeof(int));
  cudaMemset(data, 0, sizeof(int));
  cudaMemset(done, 0, sizeof(int));
  cudaMemset(out, 0, 4 * sizeof(int));
  reuse<<<4, 1>>>(data, done, out);
  cudaDeviceSynchronize();
  cudaFree(data);
  cudaFree(done);
  cudaFree(out);
  return 0;
}
