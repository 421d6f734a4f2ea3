// expect: freed_in_use kernel=fill line=23 other=8
// Stream-ordered memory is freed in another stream, which is not ordered after the kernel that uses it.
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
  fill<<<1, n, 0, first>>>(data, n);
  cudaMemcpyAsync(host, data, sizeof(host), cudaMemcpyDeviceToHost, first);
  fill<<<1, n, 0, first>>>(data, n);

  // second must wait for first
  cudaFreeAsync(data, second);
  cudaDeviceSynchronize();
  printf("%d\n", host[17]);
  cudaStreamDestroy(first);
  cudaStreamDestroy(second);
  return 0;
}
