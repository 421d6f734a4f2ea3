// expect: divergent_barrier kernel=sweep line=13 other=13
// options: --strict
// All threads reach the barrier four times, but the two warps do so in different iterations of the outer loop.
#include <cuda_runtime.h>

__global__ void sweep(int* out) {
  __shared__ int sum[64];
  const int t = threadIdx.x;
  for (int outer = 0; outer < 2; ++outer) {
    const int rounds = (t < 32) == (outer == 0) ? 3 : 1;
    for (int inner = 0; inner < rounds; ++inner) {
      sum[t] = outer + inner;
      __syncthreads();
    }
  }
  out[t] = sum[t];
}

int main() {
  int* out;
  cudaMalloc(&out, 64 * sizeof(int));
  sweep<<<1, 64>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
  return 0;
}
