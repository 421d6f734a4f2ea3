// expect: clean
// Two alternating pinned buffers: before it refills one, the host waits for the event after the copy that read it.
// In the first rounds the events are not recorded yet, and the wait returns at once.
#include <cuda_runtime.h>
#include <stdio.h>

__global__ void add(const int *chunk, int *sums, int n) {
  int i = threadIdx.x;
  if (i < n) sums[i] += chunk[i];
}

int main() {
  const int n = 128, n_chunks = 6;
  int *pinned[2], *chunk, *sums, host[n];
  cudaStream_t stream;
  cudaEvent_t copied[2];
  cudaStreamCreate(&stream);
  for (int b = 0; b < 2; ++b) {
    cudaHostAlloc(&pinned[b], n * sizeof(int), cudaHostAllocDefault);
    cudaEventCreate(&copied[b]);
  }
  cudaMalloc(&chunk, n * sizeof(int));
  cudaMalloc(&sums, n * sizeof(int));
  cudaMemsetAsync(sums, 0, n * sizeof(int), stream);
  for (int c = 0; c < n_chunks; ++c) {
    cudaEventSynchronize(copied[c % 2]);
    for (int i = 0; i < n; ++i) pinned[c % 2][i] = c * n + i;
    cudaMemcpyAsync(chunk, pinned[c % 2], n * sizeof(int), cudaMemcpyHostToDevice, stream);
    cudaEventRecord(copied[c % 2], stream);
    add<<<1, n, 0, stream>>>(chunk, sums, n);
  }
  cudaMemcpyAsync(host, sums, sizeof(host), cudaMemcpyDeviceToHost, stream);
  cudaStreamSynchronize(stream);
  printf("%d\n", host[1]);
  for (int b = 0; b < 2; ++b) {
    cudaFreeHost(pinned[b]);
    cudaEventDestroy(copied[b]);
  }
  cudaFree(chunk);
  cudaFree(sums);
  cudaStreamDestroy(stream);
  return 0;
}
