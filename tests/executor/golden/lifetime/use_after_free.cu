// expect: use_after_free kernel=sum line=7 space=global
// The input is freed before the kernel that reads it is launched.
#include <cuda_runtime.h>

__global__ void sum(const int* in, int n, int* out) {
  int total = 0;
  for (int i = 0; i < n; ++i) total += in[i];
  *out = total;
}

int main() {
  const int n = 100;
  int *in, *out;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&out, sizeof(int));
  cudaMemset(in, 0, n * sizeof(int));
  cudaFree(in);
  sum<<<1, 1>>>(in, n, out);
  cudaDeviceSynchronize();
  cudaFree(out);
  return 0;
}
