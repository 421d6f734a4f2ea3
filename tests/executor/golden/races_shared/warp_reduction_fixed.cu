// expect: clean
// Every step of the last warp reads, synchronises, writes and synchronises.
#include <cuda_runtime.h>

__device__ void fold(float* s, int t, int k) {
  float v = s[t] + s[t + k];
  __syncwarp();
  s[t] = v;
  __syncwarp();
}

__global__ void warp_sum(const float* in, float* out) {
  __shared__ float s[64];
  int t = threadIdx.x;
  s[t] = in[blockIdx.x * 64 + t];
  __syncthreads();
  if (t < 32) {
    fold(s, t, 32);
    fold(s, t, 16);
    fold(s, t, 8);
    fold(s, t, 4);
    fold(s, t, 2);
    fold(s, t, 1);
  }
  if (t == 0) out[blockIdx.x] = s[0];
}

int main() {
  float *in, *out;
  cudaMalloc(&in, 192 * sizeof(float));
  cudaMalloc(&out, 3 * sizeof(float));
  cudaMemset(in, 1, 192 * sizeof(float));
  warp_sum<<<3, 64>>>(in, out);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
  return 0;
}
