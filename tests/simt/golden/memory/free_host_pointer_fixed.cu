// expect: clean
// Each pointer goes back to where it came from.
#include <cuda_runtime.h>
#include <stdlib.h>

int main() {
  int* host = (int*)malloc(64 * sizeof(int));
  int* device;
  cudaMalloc(&device, 64 * sizeof(int));
  for (int i = 0; i < 64; ++i) host[i] = i;
  cudaMemcpy(device, host, 64 * sizeof(int), cudaMemcpyHostToDevice);
  cudaFree(device);
  free(host);
  return 0;
}
