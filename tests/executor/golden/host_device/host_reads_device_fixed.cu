// expect: clean
// The host sums a host copy of the array.
#include <cuda_runtime.h>
#include <stdio.h>

__global__ void fill(int* data) { data[threadIdx.x] = threadIdx.x; }

int main() {
  int* data;
  int host[64];
  cudaMalloc(&data, 64 * sizeof(int));
  fill<<<1, 64>>>(data);
  cudaMemcpy(host, data, sizeof(host), cudaMemcpyDeviceToHost);
  int sum = 0;
  for (int i = 0; i < 64; ++i) sum += host[i];
  printf("sum %d\n", sum);
  cudaFree(data);
  return 0;
}
