// expect: clean
// Each pointer is freed by the function that matches its allocation.
#include <cuda_runtime.h>
#include <stdlib.h>

__global__ void double_all(int* data) { data[threadIdx.x] *= 2; }

int main() {
  int* host = (int*)malloc(64 * sizeof(int));
  int* device;
  cudaMalloc(&device, 64 * sizeof(int));
  for (int i = 0; i < 64; ++i) host[i] = i;
  cudaMemcpy(device, host, 64 * sizeof(int), cudaMemcpyHostToDevice);
  double_all<<<1, 64>>>(device);
  cudaFree(device);
  free(host);
  return 0;
}
