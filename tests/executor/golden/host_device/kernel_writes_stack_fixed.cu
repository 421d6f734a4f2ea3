// expect: clean
// The result comes back through device memory.
#include <cuda_runtime.h>
#include <stdio.h>

__global__ void answer(int* out) {
  if (threadIdx.x == 0) *out = 42;
}

int main() {
  int result = 0, *device;
  cudaMalloc(&device, sizeof(int));
  answer<<<1, 32>>>(device);
  cudaDeviceSynchronize();
  cudaMemcpy(&result, device, sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d\n", result);
  cudaFree(device);
  return 0;
}
