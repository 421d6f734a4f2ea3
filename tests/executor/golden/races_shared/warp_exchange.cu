// expect: race kernel=swap_pairs line=10 other=11 space=shared
// Lanes swap values through shared memory without __syncwarp.
#include <cuda_runtime.h>

__global__ void swap_pairs(const int* in, int* out) {
  __shared__ int s[32];
  int lane = threadIdx.x;
  s[lane] = 0;
  __syncwarp();
  s[lane] = in[lane] + 1;
  out[lane] = s[lane ^ 1];
}

int main() {
  int *in, *out;
  cudaMalloc(&in, 32 * sizeof(int));
  cudaMalloc(&out, 32 * sizeof(int));
  cudaMemset(in, 1, 32 * sizeof(int));
  swap_pairs<<<1, 32>>>(in, out);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
  return 0;
}
