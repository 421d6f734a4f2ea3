// expect: clean
// The copy back is as long as the buffer.
#include <cuda_runtime.h>

__global__ void fill(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i;
}

int main() {
  const int n = 100;
  static int host[128];
  int* device;
  cudaMalloc(&device, n * sizeof(int));
  fill<<<1, 128>>>(device, n);
  cudaMemcpy(host, device, n * sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(device);
  return 0;
}
