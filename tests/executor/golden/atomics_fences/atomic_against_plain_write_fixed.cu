// expect: clean
// A separate launch resets the maximum.
#include <cuda_runtime.h>

__global__ void reset(int* best) { *best = 0; }

__global__ void highest(const int* in, int n, int* best) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
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
