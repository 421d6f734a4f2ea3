// expect: clean
// Threads past the end return before a barrier. Since Volta an exited thread counts as arrived: a note, not a finding.
#include <cuda_runtime.h>

__global__ void smooth(const float* in, float* out, int n) {
  __shared__ float s[128];
  int t = threadIdx.x, i = blockIdx.x * 128 + t;
  if (i >= n) return;
  s[t] = in[i];
  __syncthreads();
  float left = t > 0 ? s[t - 1] : 0.0f;
  out[i] = 0.5f * (s[t] + left);
}

int main() {
  const int n = 300;
  float *in, *out;
  cudaMalloc(&in, n * sizeof(float));
  cudaMalloc(&out, n * sizeof(float));
  cudaMemset(in, 0, n * sizeof(float));
  smooth<<<3, 128>>>(in, out, n);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
  return 0;
}
