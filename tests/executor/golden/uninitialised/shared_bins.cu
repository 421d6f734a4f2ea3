// expect: uninitialised kernel=histogram line=8 space=shared
// The kernel increments shared bins without clearing them.
#include <cuda_runtime.h>

__global__ void histogram(const unsigned char* in, int n, int* bins) {
  __shared__ int local[32];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&local[in[i] % 32], 1);
  __syncthreads();
  int mine = threadIdx.x;
  if (mine == in[0] % 32) atomicAdd(&bins[mine], local[mine]);
}

int main() {
  const int n = 256;
  unsigned char* in;
  int* bins;
  cudaMalloc(&in, n);
  cudaMalloc(&bins, 32 * sizeof(int));
  cudaMemset(in, 7, n);
  cudaMemset(bins, 0, 32 * sizeof(int));
  histogram<<<2, 128>>>(in, n, bins);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(bins);
  return 0;
}
