// expect: race kernel=block_sum line=11 other=11 space=shared
// The reduction tree has no barrier between its levels.
#include <cuda_runtime.h>

__global__ void block_sum(const float* in, float* out, int n) {
  __shared__ float s[256];
  int t = threadIdx.x, i = blockIdx.x * 256 + t;
  s[t] = i < n ? in[i] : 0.0f;
  __syncthreads();
  for (int k = 128; k > 0; k >>= 1) {
    if (t < k) s[t] += s[t + k];
  }
  if (t == 0) out[blockIdx.x] = s[0];
}

int main() {
  const int n = 1000;
  float *in, *out;
  cudaMalloc(&in, n * sizeof(float));
  cudaMalloc(&out, 4 * sizeof(float));
  cudaMemset(in, 1, n * sizeof(float));
  block_sum<<<4, 256>>>(in, out, n);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
  return 0;
}
