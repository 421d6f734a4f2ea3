// expect: uninitialised kernel=- line=23
// The kernel that fills B stops before its last elements.
#include <cublas_v2.h>
#include <stdio.h>

__global__ void fill(float *data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] = 1;
}

int main() {
  const int n = 16, k = 8;
  const float one = 1, zero = 0;
  float *a, *b, *c, host[n];
  cudaMalloc(&a, n * k * sizeof(float));
  cudaMalloc(&b, k * n * sizeof(float));
  cudaMalloc(&c, n * n * sizeof(float));
  fill<<<1, n * k>>>(a, n * k);
  fill<<<1, k * n>>>(b, k * (n - 1));

  cublasHandle_t handle;
  cublasCreate(&handle);
  cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_T, n, n, k, &one, a, n, b, n, &zero, c, n);
  cudaMemcpy(host, c, sizeof(host), cudaMemcpyDeviceToHost);
  printf("%g\n", host[0]);
  cublasDestroy(handle);
  cudaFree(a);
  cudaFree(b);
  cudaFree(c);
  return 0;
}
