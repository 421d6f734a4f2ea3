// expect: divergent_barrier kernel=stage line=10 other=14
// Both branches have a barrier, but not the same one.
#include <cuda_runtime.h>

__global__ void stage(const int* in, int* out) {
  __shared__ int s[64];
  int t = threadIdx.x;
  if (t < 32) {
    s[t] = in[t] + 1;
    __syncthreads();
    s[t] *= 3;
  } else {
    s[t] = in[t] - 1;
    __syncthreads();
    s[t] *= 5;
  }
  out[t] = s[t];
}

int main() {
  int *in, *out;
  cudaMalloc(&in, 64 * sizeof(int));
  cudaMalloc(&out, 64 * sizeof(int));
  cudaMemset(in, 0, 64 * sizeof(int));
  stage<<<1, 64>>>(in, out);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
  return 0;
}
