// expect: clean
// The counter is read with an atomic.
#include <cuda_runtime.h>

__global__ void append(int* count, int limit, int* out) {
  int seen = atomicAdd(count, 0);
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
