// Accesses that a compiler could merge, move or remove are counted as written.
#include <cuda_runtime.h>

__global__ void sum_in_memory(float* out, int n) {
  for (int i = 0; i < n; ++i) out[threadIdx.x] += i;
}
__global__ void sum_of_four(float* out) {
  for (int i = 0; i < 4; ++i) out[threadIdx.x] += i;
}
__global__ void same_element(float* out, const float* in, int n) {
  float sum = 0;
  for (int i = 0; i < n; ++i) sum += in[threadIdx.x] * i;
  out[threadIdx.x] = sum;
}
__global__ void sum_in_shared(float* out, int n) {
  __shared__ float sums[32];
  sums[threadIdx.x] = 0;
  for (int i = 0; i < n; ++i) sums[threadIdx.x] += i;
  out[threadIdx.x] = sums[threadIdx.x];
}
__global__ void same_sides(float* out, const float* in) {
  if (threadIdx.x % 2 == 0)
    out[threadIdx.x] = in[threadIdx.x];
  else
    out[threadIdx.x] = in[threadIdx.x];
}
__global__ void other_sides(float* out, const float* in) {
  float value;
  if (threadIdx.x % 2 == 0)
    value = in[threadIdx.x] * 2;
  else
    value = in[threadIdx.x] + 1;
  out[threadIdx.x] = value;
}
__global__ void stored_sides(float* out, const float*) {
  if (threadIdx.x % 2 == 0)
    out[threadIdx.x] = 1;
  else
    out[threadIdx.x] = 2;
}

int main() {
  float *in = nullptr, *out = nullptr;
  cudaMalloc(&in, 32 * sizeof(float));
  cudaMalloc(&out, 32 * sizeof(float));
  cudaMemset(in, 0, 32 * sizeof(float));
  cudaMemset(out, 0, 32 * sizeof(float));
  sum_in_memory<<<1, 32>>>(out, 10);
  sum_of_four<<<1, 32>>>(out);
  same_element<<<1, 32>>>(out, in, 10);
  sum_in_shared<<<1, 32>>>(out, 10);
  same_sides<<<1, 32>>>(out, in);
  other_sides<<<1, 32>>>(out, in);
  stored_sides<<<1, 32>>>(out, in);
  return cudaDeviceSynchronize() != cudaSuccess;
}
