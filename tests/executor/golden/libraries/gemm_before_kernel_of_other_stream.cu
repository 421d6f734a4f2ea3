// expect: stream_race kernel=fill line=8 other=26
// The product runs in the stream of its handle, which does not wait for the kernel that fills A.
#include <cublas_v2.h>
#include <stdio.h>

__global__ void fill(float *data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] = 1;
}

int main() {
  const int n = 16;
  const float one = 1, zero = 0;
  float *a, *c, host[n];
  cudaMalloc(&a, n * n * sizeof(float));
  cudaMalloc(&c, n * n * sizeof(float));
  cudaStream_t filling, multiplying;
  cudaStreamCreate(&filling);
  cudaStreamCreate(&multiplying);

  cublasHandle_t handle;
  cublasCreate(&handle);
  cublasSetStream(handle, multiplying);
  fill<<<1, n * n, 0, filling>>>(a, n * n);

  cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, a, n, a, n, &zero, c, n);
  cudaStreamSynchronize(multiplying);
  cudaMemcpy(host, c, sizeof(host), cudaMemcpyDeviceToHost);
  printf("%g\n", host[0]);
  cublasDestroy(handle);
  cudaStreamDestroy(filling);
  cudaStreamDestroy(multiplying);
  cudaFree(a);
  cudaFree(c);
  return 0;
}
