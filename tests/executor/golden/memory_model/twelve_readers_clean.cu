// expect: clean
// More readers than the checker records: no hazard, but the summary says that one could be missed.
#include <cuda_runtime.h>

__global__ void reuse(int* data, int* done, int* out) {
  if (blockIdx.x < 12) {
    out[blockIdx.x] = *data;
    __threadfence();
    atomicAdd(done, 1);
  } else {
    while (atomicAdd(done, 0) < 12) {
    }
    __threadfence();
    *data = 1;
  }
}

int main() {
  int *data, *done, *out;
  cudaMalloc(&data, sizeof(int));
  cudaMalloc(&done, sizeof(int));
  cudaMalloc(&out, 12 * sizeof(int));
  cudaMemset(data, 0, sizeof(int));
  cudaMemset(done, 0, sizeof(int));
  cudaMemset(out, 0, 12 * sizeof(int));
  reuse<<<13, 1>>>(data, done, out);
  cudaDeviceSynchronize();
  cudaFree(data);
  cudaFree(done);
  cudaFree(out);
  return 0;
}
