// expect: race kernel=count_large line=7 other=7 space=global
// All threads read, increment and write back a plain counter.
#include <cuda_runtime.h>

__global__ void count_large(const int* in, int n, int* count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && in[i] > 10) *count += 1;
}

int main() {
  const int n = 400;
  int *in, *count;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&count, sizeof(int));
  cudaMemset(in, 1, n * sizeof(int));
  cudaMemset(count, 0, sizeof(int));
  count_large<<<4, 128>>>(in, n, count);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(count);
  return 0;
}
