// expect: race kernel=highest line=9 other=10 space=global
// One thread resets the maximum with a plain store while others raise it atomically.
#include <cuda_runtime.h>

__global__ void reset(int* best) { *best = 0; }

__global__ void highest(const int* in, int n, int* best) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == 0) *best = -1;
  if (i < n) atomicMax(best, in[i]);
}

int main() {
  const int n = 300;
  int *in, *best;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&best, sizeof(int));
  cudaMemset(in, 1, n * sizeof(int));
  reset<<<1, 1>>>(best);
  highest<<<3, 128>>>(in, n, best);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(best);
  return 0;
}
