// expect: clean
// options: --strict
// Sums that start from 0, and a maximum that the first iteration sets.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void row_sums(const float* in, float* sums, int n_cols) {
  const int row = threadIdx.x;
  float sum = 0, largest;
  for (int col = 0; col < n_cols; ++col) {
    const float x = in[row * n_cols + col];
    sum += x;
    if (col == 0 || x > largest) largest = x;
  }
  sums[row] = sum + largest;
}

int main() {
  const int n_rows = 32, n_cols = 5;
  float *in, *sums, host[n_rows];
  cudaMalloc(&in, n_rows * n_cols * sizeof(float));
  cudaMalloc(&sums, sizeof host);
  cudaMemset(in, 0, n_rows * n_cols * sizeof(float));
  row_sums<<<1, n_rows>>>(in, sums, n_cols);
  cudaMemcpy(host, sums, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%g\n", host[0]);
  cudaFree(in);
  cudaFree(sums);
  return 0;
}
