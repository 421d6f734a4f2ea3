// expect: clean
// options: --strict
// The conditions are uniform across the block. Nested loops of several kinds, each with a barrier.
#include <cuda_runtime.h>

__global__ void turns(int* out, int n) {
  for (int round = 0; round < 4; ++round)
    if (round % 2 == 0) { __syncthreads(); } else out[threadIdx.x] = round;
  int k = 0;
#pragma unroll
  for (int i = 0; i < n; ++i) {
    do {
      while (true) {
        if (__syncthreads_or(++k % 3 == 0)) break;
      }
      __syncthreads();
    } while (k < 6);
    auto meet = [n](int times) {
      for (int j = 0; j < times; ++j) {
        if (j < n) __syncthreads();
      }
    };
    meet(i);
    for (int j = threadIdx.x; j < n; j += 16) {
      if (n < 0) __syncthreads();
      out[threadIdx.x] = j;
    }
    __syncthreads();
  }
  if (k > 0)
    for (int i = 0; i < 2; ++i) {
      __syncthreads();
    }
  else
    out[0] = 0;
}

int main() {
  int* out;
  cudaMalloc(&out, 64 * sizeof(int));
  turns<<<1, 64>>>(out, 3);
  cudaDeviceSynchronize();
  cudaFree(out);
  return 0;
}
