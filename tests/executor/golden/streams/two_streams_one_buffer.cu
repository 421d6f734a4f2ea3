// expect: stream_race kernel=total line=13 other=8
// A kernel sums what a kernel in another stream fills; no event orders them.
#include <cuda_runtime.h>
#include <stdio.h>

__global__ void fill(float *data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] = 1.0f;
}

__global__ void total(const float *data, int n, float *sum) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(sum, data[i]);
}

int main() {
  const int n = 1000;
  float *data, *sum, host = 0;
  cudaStream_t first, second;
  cudaStreamCreate(&first);
  cudaStreamCreate(&second);
  cudaMalloc(&data, n * sizeof(float));
  cudaMalloc(&sum, sizeof(float));
  cudaMemset(sum, 0, sizeof(float));
  fill<<<4, 256, 0, first>>>(data, n);
  total<<<4, 256, 0, second>>>(data, n, sum);
  cudaDeviceSynchronize();
  cudaMemcpy(&host, sum, sizeof(float), cudaMemcpyDeviceToHost);
  printf("%g\n", host);
  cudaFree(data);
  cudaFree(sum);
  cudaStreamDestroy(first);
  cudaStreamDestroy(second);
  return 0;
}
