// expect: race kernel=warp_sum line=5 other=5 space=shared
// volatile keeps the compiler from caching values, but does not make the lanes wait for each other.
#include <cuda_runtime.h>

__device__ void fold(volatile int* s, int t, int k) { s[t] = s[t] + s[t + k]; }

__global__ void warp_sum(const int* in, int* out) {
  __shared__ int s[64];
  int t = threadIdx.y * blockDim.x + threadIdx.x;
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
  int *in, *out;
  cudaMalloc(&in, 192 * sizeof(int));
  cudaMalloc(&out, 3 * sizeof(int));
  cudaMemset(in, 1, 192 * sizeof(int));
  warp_sum<<<3, dim3(16, 4)>>>(in, out);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
  return 0;
}
