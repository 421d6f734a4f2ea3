// expect: clean
// The child kernel adds atomically to what its parent wrote.
#include <cuda_runtime.h>

__global__ void sum_up(const int* in, int* total) {
  atomicAdd(total, in[threadIdx.x]);
}

__global__ void start(int* in, int* total) {
  in[threadIdx.x] = threadIdx.x;
  __syncthreads();
  if (threadIdx.x != 0) return;
  *total = 0;
  sum_up<<<1, 64>>>(in, total);
}

int main() {
  int *in, *total;
  cudaMalloc(&in, 64 * sizeof(int));
  cudaMalloc(&total, sizeof(int));
  start<<<1, 64>>>(in, total);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(total);
  return 0;
}
