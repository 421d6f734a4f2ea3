// expect: race kernel=smooth line=9 other=8 space=global
// One buffer is input and output: a thread reads neighbour cells that other threads overwrite.
#include <cuda_runtime.h>

__global__ void smooth(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < 1 || i >= n - 1) return;
  float sum = in[i - 1] + in[i + 1];
  out[i] = 0.5f * sum + i;
}

int main() {
  const int n = 500;
  float *a, *b;
  cudaMalloc(&a, n * sizeof(float));
  cudaMalloc(&b, n * sizeof(float));
  cudaMemset(a, 0, n * sizeof(float));
  smooth<<<4, 128>>>(a, a, n);
  cudaDeviceSynchronize();
  cudaFree(a);
  cudaFree(b);
  return 0;
}
