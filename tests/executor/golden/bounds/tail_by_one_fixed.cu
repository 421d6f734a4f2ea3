// expect: clean
// The bounds check ends at n.
#include <cuda_runtime.h>

__global__ void fill(float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 2.0f * i;
}

int main() {
  const int n = 1000;
  float* out;
  cudaMalloc(&out, n * sizeof(float));
  fill<<<(n + 255) / 256, 256>>>(out, n);
  cudaDeviceSynchronize();
  cudaFree(out);
  return 0;
}
