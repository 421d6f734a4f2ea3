// expect: clean
// Thread 0 does not read its left neighbour.
#include <cuda_runtime.h>

__global__ void difference(const int* in, int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int left = i > 0 ? in[i - 1] : 0;
  out[i] = in[i] - left;
}

int main() {
  const int n = 300;
  int *in, *out;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&out, n * sizeof(int));
  cudaMemset(in, 0, n * sizeof(int));
  difference<<<3, 128>>>(in, out, n);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
  return 0;
}
