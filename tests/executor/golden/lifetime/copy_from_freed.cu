// expect: use_after_free kernel=- line=12 space=global
// The result is copied after its buffer was freed.
#include <cuda_runtime.h>

__global__ void answer(int* out) { *out = 42; }

int main() {
  int host = 0, *device;
  cudaMalloc(&device, sizeof(int));
  answer<<<1, 1>>>(device);
  cudaFree(device);
  cudaMemcpy(&host, device, sizeof(int), cudaMemcpyDeviceToHost);
  return 0;
}
