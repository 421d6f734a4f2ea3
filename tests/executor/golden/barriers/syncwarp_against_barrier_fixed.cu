// expect: clean
// The whole warp synchronises before the leader continues.
#include <cuda_runtime.h>

__global__ void mixed(int* out) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = t;
  __syncwarp();
  if (t % 32 == 0) {
    s[t] = -1;
  }
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
