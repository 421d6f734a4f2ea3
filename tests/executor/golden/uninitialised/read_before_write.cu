// expect: uninitialised kernel=axpy line=9 space=global
// The second vector is allocated but never filled.
#include <cuda_runtime.h>

__global__ void axpy(float a, const float* x, const float* y, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float scaled = a * x[i];
  out[i] = scaled + y[i];
}

int main() {
  const int n = 300;
  float *x, *y, *out;
  cudaMalloc(&x, n * sizeof(float));
  cudaMalloc(&y, n * sizeof(float));
  cudaMalloc(&out, n * sizeof(float));
  cudaMemset(x, 0, n * sizeof(float));
  axpy<<<3, 128>>>(2.0f, x, y, out, n);
  cudaDeviceSynchronize();
  cudaFree(x);
  cudaFree(y);
  cudaFree(out);
  return 0;
}
