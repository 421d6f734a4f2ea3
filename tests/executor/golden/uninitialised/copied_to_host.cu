// expect: unwritten_copy kernel=- line=18
// expect: unwritten_copy kernel=- line=20
// options: --strict
// The kernel fills half of an array and the host copies all of it; a second array is never filled.
#include <cuda_runtime.h>

__global__ void squares(int* out, int n) {
  if (threadIdx.x < n) out[threadIdx.x] = threadIdx.x * threadIdx.x;
}

int main() {
  int *out, *other, host[64];
  int* pinned;
  cudaMalloc(&out, sizeof host);
  cudaMalloc(&other, sizeof host);
  cudaMallocHost(&pinned, sizeof host);
  squares<<<1, 64>>>(out, 32);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  cudaMemcpy(host, out, sizeof host / 2, cudaMemcpyDeviceToHost);
  cudaMemcpy(pinned, other, sizeof host, cudaMemcpyDeviceToHost);
  cudaFree(out);
  cudaFree(other);
  cudaFreeHost(pinned);
  return 0;
}
