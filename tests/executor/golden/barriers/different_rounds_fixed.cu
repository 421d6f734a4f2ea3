// expect: clean
// options: --strict
// Both warps make the same iterations; one of them has no work in some.
#include <cuda_runtime.h>

__global__ void sweep(int* out) {
  __shared__ int sum[64];
  const int t = threadIdx.x;
  for (int outer = 0; outer < 2; ++outer) {
    const int rounds = (t < 32) == (outer == 0) ? 3 : 1;
    for (int inner = 0; inner < 3; ++inner) {
      if (inner < rounds) sum[t] = outer + inner;
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
