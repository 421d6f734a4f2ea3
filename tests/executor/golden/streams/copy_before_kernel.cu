// expect: stream_race kernel=scale line=8 other=24
// The copy to the device and the kernel that reads it are in two streams.
#include <cuda_runtime.h>
#include <stdio.h>

__global__ void scale(float *data, int n, float by) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] = data[i] * by;
}

int main() {
  const int n = 512;
  float *host, *data;
  cudaStream_t copies, kernels;
  cudaStreamCreateWithFlags(&copies, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&kernels, cudaStreamNonBlocking);
  cudaMallocHost(&host, n * sizeof(float));
  cudaMalloc(&data, n * sizeof(float));
  for (int i = 0; i < n; ++i) {
    host[i] = i;
  }

  // the kernel's stream must wait for the copy here
  cudaMemcpyAsync(data, host, n * sizeof(float), cudaMemcpyHostToDevice, copies);
  scale<<<2, 256, 0, kernels>>>(data, n, 2.0f);
  cudaStreamSynchronize(kernels);
  cudaMemcpy(host, data, n * sizeof(float), cudaMemcpyDeviceToHost);
  printf("%g\n", host[n - 1]);
  cudaFree(data);
  cudaFreeHost(host);
  cudaStreamDestroy(copies);
  cudaStreamDestroy(kernels);
  return 0;
}
