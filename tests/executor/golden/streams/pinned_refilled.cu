// expect: host_race kernel=- line=24 other=26
// The host refills the only pinned buffer while the copy of the previous chunk may still read it.
#include <cuda_runtime.h>
#include <stdio.h>

__global__ void add(const int *chunk, int *sums, int n) {
  int i = threadIdx.x;
  if (i < n) sums[i] += chunk[i];
}

int main() {
  const int n = 128, n_chunks = 4;
  int *pinned, *chunk, *sums, host[n];
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaHostAlloc(&pinned, n * sizeof(int), cudaHostAllocDefault);
  cudaMalloc(&chunk, n * sizeof(int));
  cudaMalloc(&sums, n * sizeof(int));
  cudaMemsetAsync(sums, 0, n * sizeof(int), stream);
  for (int c = 0; c < n_chunks; ++c) {


    for (int i = 0; i < n; ++i) {
      pinned[i] = c * n + i;
    }
    cudaMemcpyAsync(chunk, pinned, n * sizeof(int), cudaMemcpyHostToDevice, stream);
    add<<<1, n, 0, stream>>>(chunk, sums, n);
  }
  cudaMemcpyAsync(host, sums, sizeof(host), cudaMemcpyDeviceToHost, stream);
  cudaStreamSynchronize(stream);
  printf("%d\n", host[1]);
  cudaFreeHost(pinned);
  cudaFree(chunk);
  cudaFree(sums);
  cudaStreamDestroy(stream);
  return 0;
}
