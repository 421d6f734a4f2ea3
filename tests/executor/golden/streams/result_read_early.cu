// expect: host_race kernel=- line=27 other=26
// The copy back to pinned memory is asynchronous; the host reads the result without waiting.
#include <cuda_runtime.h>
#include <stdio.h>

__global__ void largest(const int *data, int n, int *result) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicMax(result, data[i]);
}

int main() {
  const int n = 400;
  int host[n], *data, *result, *answer;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaMallocHost(&answer, sizeof(int));
  cudaMalloc(&data, sizeof(host));
  cudaMalloc(&result, sizeof(int));
  for (int i = 0; i < n; ++i) host[i] = (i * 37) % n;
  cudaMemcpyAsync(data, host, sizeof(host), cudaMemcpyHostToDevice, stream);
  cudaMemsetAsync(result, 0, sizeof(int), stream);
  // pageable memory is staged before the call above returns, so it may be written again
  for (int i = 0; i < n; ++i) host[i] = 0;

  largest<<<2, 256, 0, stream>>>(data, n, result);
  cudaMemcpyAsync(answer, result, sizeof(int), cudaMemcpyDeviceToHost, stream);
  printf("%d\n", *answer);
  cudaStreamSynchronize(stream);
  cudaFreeHost(answer);
  cudaFree(data);
  cudaFree(result);
  cudaStreamDestroy(stream);
  return 0;
}
