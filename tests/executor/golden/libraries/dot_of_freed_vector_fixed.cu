// expect: clean
// x is freed after the call, which waits for its result.
#include <cublas_v2.h>
#include <stdio.h>

__global__ void fill(double *data) { data[threadIdx.x] = threadIdx.x; }

int main() {
  const int n = 64;
  double *x, *y, result;
  cudaMalloc(&x, n * sizeof(double));
  cudaMalloc(&y, n * sizeof(double));
  fill<<<1, n>>>(x);
  fill<<<1, n>>>(y);

  cublasHandle_t handle;
  cublasCreate(&handle);
  cublasDdot(handle, n, x, 1, y, 1, &result);
  printf("%g\n", result);
  cudaFree(x);
  cudaFree(y);
  cublasDestroy(handle);
  return 0;
}
