// expect: clean
// Threads increment bins with atomics only.
#include <cuda_runtime.h>

__global__ void histogram(const unsigned char* in, int n, int* bins) {
  __shared__ int local[16];
  if (threadIdx.x < 16) local[threadIdx.x] = 0;
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&local[in[i] % 16], 1);
  __syncthreads();
  if (threadIdx.x < 16) atomicAdd(&bins[threadIdx.x], local[threadIdx.x]);
}

int main() {
  const int n = 700;
  unsigned char* in;
  int* bins;
  cudaMalloc(&in, n);
  cudaMalloc(&bins, 16 * sizeof(int));
  cudaMemset(in, 3, n);
  cudaMemset(bins, 0, 16 * sizeof(int));
  histogram<<<6, 128>>>(in, n, bins);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(bins);
  return 0;
}
