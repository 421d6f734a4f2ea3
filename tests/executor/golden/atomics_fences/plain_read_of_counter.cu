// expect: race kernel=append line=6 other=8 space=global
// Every block reads the counter with a plain load while other blocks add to it.
#include <cuda_runtime.h>

__global__ void append(int* count, int limit, int* out) {
  int seen = *count;
  if (seen < limit) {
    int slot = atomicAdd(count, 1);
    out[slot] = slot;
  }
}

int main() {
  const int n = 256;
  int *count, *out;
  cudaMalloc(&count, sizeof(int));
  cudaMalloc(&out, n * sizeof(int));
  cudaMemset(count, 0, sizeof(int));
  append<<<4, 64>>>(count, n, out);
  cudaDeviceSynchronize();
  cudaFree(count);
  cudaFree(out);
  return 0;
}
