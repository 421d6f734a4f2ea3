// expect: deadlock kernel=mixed line=10 other=13
// One lane waits at __syncwarp for the whole warp while the other lanes wait at the block barrier.
#include <cuda_runtime.h>

__global__ void mixed(int* out) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = t;
  if (t % 32 == 0) {
    __syncwarp();
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
