// expect: race kernel=shift line=11 other=12 space=shared
// The upper half of the warp synchronises and reads what the lower half overwrites. The lower half does not take part,
// and may already have exited.
#include <cuda_runtime.h>
#include <stdio.h>

__global__ void shift(int *out) {
  __shared__ int tile[32];
  const int t = threadIdx.x;
  tile[t] = t, __syncthreads();
  if (t < 16) tile[t] = -t;
  if (t >= 16) __syncwarp(0xffff0000u), out[t] = tile[t - 16];
}

int main() {
  int *out, last;
  cudaMalloc(&out, 32 * sizeof(int));
  shift<<<1, 32>>>(out);
  cudaMemcpy(&last, out + 31, sizeof(last), cudaMemcpyDeviceToHost);
  printf("%d\n", last);
  cudaFree(out);
  return 0;
}
