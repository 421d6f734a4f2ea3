// expect: kernel_touches_host kernel=answer line=7
// The kernel gets the address of a variable on the host stack.
#include <cuda_runtime.h>
#include <stdio.h>

__global__ void answer(int* out) {
  if (threadIdx.x == 0) *out = 42;
}

int main() {
  int result = 0, *device;
  cudaMalloc(&device, sizeof(int));
  answer<<<1, 32>>>(&result);
  cudaDeviceSynchronize();
  printf("%d\n", result);
  cudaFree(device);
  return 0;
}
