// expect: clean
// The second array starts after the first.
#include <cuda_runtime.h>

__global__ void split(const float* in, float* out, int n) {
  extern __shared__ float memory[];
  float* squares = memory;
  float* cubes = memory + n;
  int t = threadIdx.x;
  float v = in[t] + t + 2.0f;
  squares[t] = v * v;
  cubes[t] = v * v * v;
  __syncthreads();
  out[t] = squares[n - 1 - t] + cubes[n - 1 - t];
}

int main() {
  const int n = 64;
  float *in, *out;
  cudaMalloc(&in, n * sizeof(float));
  cudaMalloc(&out, n * sizeof(float));
  cudaMemset(in, 1, n * sizeof(float));
  split<<<1, n, 2 * n * sizeof(float)>>>(in, out, n);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
  return 0;
}
