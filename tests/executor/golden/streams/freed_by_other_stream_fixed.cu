// expect: clean
// Stream-ordered memory is freed in another stream after a wait for an event.
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
  cudaEvent_t done;
  cudaStreamCreate(&first);
  cudaStreamCreate(&second);
  cudaEventCreate(&done);
  cudaMallocAsync(&data, n * sizeof(int), first);
  fill<<<1, n, 0, first>>>(data, n);
  cudaMemcpyAsync(host, data, sizeof(host), cudaMemcpyDeviceToHost, first);
  cudaEventRecord(done, first);
  cudaStreamWaitEvent(second, done);
  cudaFreeAsync(data, second);
  cudaDeviceSynchronize();
  printf("%d\n", host[17]);
  cudaEventDestroy(done);
  cudaStreamDestroy(first);
  cudaStreamDestroy(second);
  return 0;
}
