// expect: clean
// options: --strict
// All copied memory was written: by the kernel, by a copy within the device, or by a fill.
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
  cudaMemset(out, 0, sizeof host);
  squares<<<1, 64>>>(out, 32);
  cudaMemcpy(other, out, sizeof host, cudaMemcpyDeviceToDevice);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  cudaMemcpy(pinned, other, sizeof host, cudaMemcpyDeviceToHost);
  cudaFree(out);
  cudaFree(other);
  cudaFreeHost(pinned);
  return 0;
}
