// expect: stream_race kernel=fill line=8 other=18
// One stream uses memory that another stream allocates; the allocation may not have happened yet.
#include <cuda_runtime.h>
#include <stdio.h>

__global__ void fill(int *data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] = i;
}

int main() {
  const int n = 256;
  int *data, host[n];
  cudaStream_t first, second;
  cudaStreamCreate(&first);
  cudaStreamCreate(&second);

  cudaMallocAsync(&data, n * sizeof(int), first);
  fill<<<1, n, 0, second>>>(data, n);
  cudaMemcpyAsync(host, data, sizeof(host), cudaMemcpyDeviceToHost, second);
  cudaFreeAsync(data, second);
  cudaDeviceSynchronize();
  printf("%d\n", host[17]);
  cudaStreamDestroy(first);
  cudaStreamDestroy(second);
  return 0;
}
