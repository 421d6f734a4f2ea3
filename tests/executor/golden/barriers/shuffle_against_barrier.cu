// expect: deadlock kernel=mixed line=9 other=12
// Half of the warp waits in a full-mask shuffle, the other half at the block barrier.
#include <cuda_runtime.h>

__global__ void mixed(int* out) {
  __shared__ int s[64];
  int t = threadIdx.x, v = t;
  if (t % 32 < 16) {
    v = __shfl_sync(0xffffffffu, v, 0);
  }
  s[t] = v;
  __syncthreads();
  out[t] = s[63 - t];
}

int main() {
  int* out;
  cudaMalloc(&out, 64 * sizeof(int));
  mixed<<<1, 64>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
  return 0;
}
