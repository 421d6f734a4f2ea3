// expect: freed_in_use kernel=- line=20 other=18
// Pinned memory is freed while a copy from it may be in flight.
#include <cuda_runtime.h>
#include <stdio.h>

__global__ void add_one(int *data) { data[threadIdx.x] += 1; }

int main() {
  const int n = 64;
  int *pinned, *data, host[n];
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaMallocHost(&pinned, n * sizeof(int));
  cudaMalloc(&data, n * sizeof(int));
  for (int i = 0; i < n; ++i) {
    pinned[i] = i;
  }
  cudaMemcpyAsync(data, pinned, n * sizeof(int), cudaMemcpyHostToDevice, stream);
  add_one<<<1, n, 0, stream>>>(data);
  cudaFreeHost(pinned);
  cudaMemcpyAsync(host, data, sizeof(host), cudaMemcpyDeviceToHost, stream);
  cudaStreamSynchronize(stream);
  printf("%d\n", host[5]);
  cudaFree(data);
  cudaStreamDestroy(stream);
  return 0;
}
