// expect: out_of_bounds kernel=smooth line=11 space=shared
// The shared size of the launch omits the halo cell.
#include <cuda_runtime.h>

__global__ void smooth(const float* in, float* out, int n) {
  extern __shared__ float s[];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[t] = i < n ? in[i] : 0.0f;
  int halo = blockIdx.x * blockDim.x + blockDim.x;
  float next = halo < n ? in[halo] : 0.0f;
  if (t == 0) s[blockDim.x] = next;
  __syncthreads();
  float right = t + 1 < blockDim.x ? s[t + 1] : next;
  if (i < n) out[i] = 0.5f * (s[t] + right);
}

int main() {
  const int n = 500, threads = 96;
  float *in, *out;
  cudaMalloc(&in, n * sizeof(float));
  cudaMalloc(&out, n * sizeof(float));
  cudaMemset(in, 0, n * sizeof(float));
  smooth<<<(n + threads - 1) / threads, threads, threads * sizeof(float)>>>(in, out, n);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
  return 0;
}
