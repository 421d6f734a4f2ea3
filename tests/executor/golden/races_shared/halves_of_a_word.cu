// expect: race kernel=pairs line=9 other=10 space=shared
// One thread writes both halves of a word, one after the other; another thread writes the first half, too.
#include <cuda_runtime.h>
#include <stdio.h>

__global__ void pairs(short *out) {
  __shared__ short tile[64];
  const int t = threadIdx.x;
  tile[2 * t + 1] = t;
  tile[2 * (t / 2 * 2) + t % 2] = -t;
  __syncthreads();
  out[2 * t] = tile[4 * (t / 2) + t % 2], out[2 * t + 1] = tile[2 * t + 1];
}

int main() {
  short *out, last;
  cudaMalloc(&out, 64 * sizeof(short));
  pairs<<<1, 32>>>(out);
  cudaMemcpy(&last, out + 63, sizeof(last), cudaMemcpyDeviceToHost);
  printf("%d\n", last);
  cudaFree(out);
  return 0;
}
