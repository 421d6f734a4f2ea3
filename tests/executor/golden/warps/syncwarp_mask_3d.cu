// expect: bad_mask kernel=meet line=13
// The upper half of the warp synchronises with the lower half's mask.
#include <cuda_runtime.h>

__global__ void meet(int* out) {
  __shared__ int s[64];
  int t = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  s[t] = t;
  if (t % 32 < 16) {
    __syncwarp(0x0000ffffu);
    s[t] *= 3;
  } else {
    __syncwarp(0x0000ffffu);
    s[t] *= 5;
  }
  out[t] = s[t];
}

int main() {
  int* out;
  cudaMalloc(&out, 64 * sizeof(int));
  meet<<<1, dim3(4, 4, 4)>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
  return 0;
}
