// expect: out_of_bounds kernel=reverse line=8 space=shared
// 80 threads store into a shared array of 64 elements.
#include <cuda_runtime.h>

__global__ void reverse(const float* in, float* out) {
  __shared__ float s[64];
  int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  if (t < 64) out[t] = s[63 - t];
}

int main() {
  float *in, *out;
  cudaMalloc(&in, 80 * sizeof(float));
  cudaMalloc(&out, 64 * sizeof(float));
  cudaMemset(in, 0, 80 * sizeof(float));
  reverse<<<1, 80>>>(in, out);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
  return 0;
}
