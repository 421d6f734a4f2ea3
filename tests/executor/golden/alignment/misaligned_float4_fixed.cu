// expect: clean
// The vector load starts at an aligned element.
#include <cuda_runtime.h>

__global__ void add_four(const float* in, float* out, int n_quads) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n_quads) return;
  const float4* quads = reinterpret_cast<const float4*>(in + 4);
  float4 q = quads[i];
  out[i] = q.x + q.y + q.z + q.w;
}

int main() {
  const int n_quads = 50;
  float *in, *out;
  cudaMalloc(&in, (4 * n_quads + 4) * sizeof(float));
  cudaMalloc(&out, n_quads * sizeof(float));
  cudaMemset(in, 0, (4 * n_quads + 4) * sizeof(float));
  add_four<<<1, 64>>>(in, out, n_quads);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
  return 0;
}
