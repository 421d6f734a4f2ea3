// expect: stream_race kernel=count line=9 other=24
// cudaMemset returns before it has finished, and a non-blocking stream does not wait for the default stream.
#include <cuda_runtime.h>
#include <stdio.h>

__global__ void count(const int *keys, int n, int *bins) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    atomicAdd(&bins[keys[i] % 16], 1);
  }
}

int main() {
  const int n = 256;
  int keys[n], *d_keys, *bins, host[16];
  cudaStream_t stream;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  for (int i = 0; i < n; ++i) keys[i] = i * 7;
  cudaMalloc(&d_keys, sizeof(keys));
  cudaMalloc(&bins, sizeof(host));
  cudaMemcpy(d_keys, keys, sizeof(keys), cudaMemcpyHostToDevice);

  // cudaMemsetAsync in the kernel's stream would be correct
  cudaMemset(bins, 0, sizeof(host));
  count<<<1, n, 0, stream>>>(d_keys, n, bins);
  cudaMemcpyAsync(host, bins, sizeof(host), cudaMemcpyDeviceToHost, stream);
  cudaStreamSynchronize(stream);
  printf("%d\n", host[3]);
  cudaFree(d_keys);
  cudaFree(bins);
  cudaStreamDestroy(stream);
  return 0;
}
