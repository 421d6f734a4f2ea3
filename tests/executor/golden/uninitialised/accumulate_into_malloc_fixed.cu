// expect: clean
// The sums are initialised to zero.
#include <cuda_runtime.h>

__global__ void add(const int* in, int* sums, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) sums[i] += in[i];
}

int main() {
  const int n = 100;
  int *in, *sums;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&sums, n * sizeof(int));
  cudaMemset(in, 1, n * sizeof(int));
  cudaMemset(sums, 0, n * sizeof(int));
  for (int k = 0; k < 3; ++k) add<<<1, 128>>>(in, sums, n);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(sums);
  return 0;
}
