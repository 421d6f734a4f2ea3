// expect: race kernel=sum_up line=7 other=7 space=global
// expect: uninitialised kernel=sum_up line=7 space=global
// A race in a kernel that another kernel launches.
#include <cuda_runtime.h>

__global__ void sum_up(const int* in, int* total) {
  *total += in[threadIdx.x];
}

__global__ void start(int* in, int* total) {
  in[threadIdx.x] = threadIdx.x;
  __syncthreads();
  if (threadIdx.x == 0) sum_up<<<1, 64>>>(in, total);
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
