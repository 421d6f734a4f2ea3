// expect: clean
// C has m * n elements.
#include <cublas_v2.h>
#include <stdio.h>

__global__ void fill(float *data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] = 1;
}

int main() {
  const int m = 32, n = 16, k = 8;
  const float one = 1, zero = 0;
  float *a, *b, *c, host[n];
  cudaMalloc(&a, m * k * sizeof(float));
  cudaMalloc(&b, k * n * sizeof(float));
  cudaMalloc(&c, m * n * sizeof(float));
  fill<<<1, m * k>>>(a, m * k);
  fill<<<1, k * n>>>(b, k * n);

  cublasHandle_t handle;
  cublasCreate(&handle);
  cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &one,
              a, m, b, k, &zero, c, m);
  cudaMemcpy(host, c, sizeof(host), cudaMemcpyDeviceToHost);
  printf("%g\n", host[0]);
  cublasDestroy(handle);
  cudaFree(a);
  cudaFree(b);
  cudaFree(c);
  return 0;
}
