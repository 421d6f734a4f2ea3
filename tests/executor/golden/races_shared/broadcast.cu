// expect: race kernel=shift line=10 other=11 space=shared
// One thread writes a result for all; the others do not wait for it.
#include <cuda_runtime.h>

__global__ void shift(const int* in, int* out, int n) {
  __shared__ int offset;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x == 0) offset = 0;
  __syncthreads();
  if (threadIdx.x == 0) offset = in[blockIdx.x] + 1;
  if (i < n) out[i] = i + offset;
}

int main() {
  const int n = 250;
  int *in, *out;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&out, n * sizeof(int));
  cudaMemset(in, 1, n * sizeof(int));
  shift<<<4, 64>>>(in, out, n);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
  return 0;
}
