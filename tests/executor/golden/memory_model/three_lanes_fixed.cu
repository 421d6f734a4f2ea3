// expect: clean
// options: --strict
// All three lanes synchronise.
#include <cuda_runtime.h>

__global__ void reuse(int* out) {
  __shared__ int data;
  const int t = threadIdx.x;
  if (t == 0) data = 7;
  __syncthreads();
  if (t < 3) out[t] = data;
  if (t < 3) __syncwarp(7);
  if (t == 0) data = 1;
}

int main() {
  int *out;
  cudaMalloc(&out, 4 * sizeof(int));
  cudaMemset(out, 0, 4 * sizeof(int));
  reuse<<<1, 32>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
  return 0;
}
