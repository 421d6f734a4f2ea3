// expect: clean
// The result is copied before its buffer is freed.
#include <cuda_runtime.h>

__global__ void answer(int* out) { *out = 42; }

int main() {
  int host = 0, *device;
  cudaMalloc(&device, sizeof(int));
  answer<<<1, 1>>>(device);
  cudaMemcpy(&host, device, sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(device);
  return 0;
}
