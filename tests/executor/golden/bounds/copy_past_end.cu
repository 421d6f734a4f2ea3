// expect: out_of_bounds kernel=- line=16 space=global
// The copy back is longer than the buffer, and the program ignores the error.
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
  cudaMemcpy(host, device, 128 * sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(device);
  return 0;
}
