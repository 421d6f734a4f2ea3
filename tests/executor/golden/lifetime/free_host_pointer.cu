// expect: invalid_free kernel=- line=13
// cudaFree of memory that came from malloc.
#include <cuda_runtime.h>
#include <stdlib.h>

int main() {
  int* host = (int*)malloc(64 * sizeof(int));
  int* device;
  cudaMalloc(&device, 64 * sizeof(int));
  for (int i = 0; i < 64; ++i) host[i] = i;
  cudaMemcpy(device, host, 64 * sizeof(int), cudaMemcpyHostToDevice);
  cudaFree(device);
  cudaFree(host);
  return 0;
}
