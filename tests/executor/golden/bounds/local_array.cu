// expect: out_of_bounds kernel=smooth line=10 space=local
// expect: out_of_bounds kernel=shift line=14 space=local
// expect: out_of_bounds kernel=fill line=27 space=local
// A thread-local array: read past its end by index and through a pointer, and written past its end.
#include <cuda_runtime.h>

__global__ void smooth(const float* in, float* out, int n) {
  float window[4];
  for (int k = 0; k < 4; ++k) window[k] = in[threadIdx.x + k];
  for (int k = 0; k < n; ++k) out[threadIdx.x] += window[k];
}

__device__ float at(const float* values, int n) {
  return values[n];
}

__global__ void shift(const float* in, float* out, int n) {
  float row[8];
  for (int k = 0; k < 8; ++k) row[k] = in[k];
  float* end = row + 8;
  out[threadIdx.x] = at(end, n);
}

__global__ void fill(float* out, int n) {
  float row[8];
  for (int k = 0; k < n; ++k)
    row[k] = k;
  out[threadIdx.x] = row[n - 1] + row[0];
}

int main() {
  float *in, *out;
  cudaMalloc(&in, 64 * sizeof(float));
  cudaMalloc(&out, 32 * sizeof(float));
  cudaMemset(in, 0, 64 * sizeof(float));
  cudaMemset(out, 0, 32 * sizeof(float));
  smooth<<<1, 32>>>(in, out, 5);
  shift<<<1, 32>>>(in, out, 0);
  fill<<<1, 1>>>(out, 9);
  cudaDeviceSynchronize();
  return 0;
}
