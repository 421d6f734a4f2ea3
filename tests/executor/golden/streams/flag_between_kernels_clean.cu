// expect: clean
// A kernel passes data to a kernel in another stream through a flag in memory: data, fence, flag.
#include <cuda_runtime.h>
#include <stdio.h>

__global__ void produce(int *data, int n, int *flag) {
  int i = threadIdx.x;
  if (i < n) data[i] = i;
  __threadfence();
  __syncthreads();
  if (i == 0) atomicExch(flag, 1);
}

__global__ void consume(const int *data, int n, int *flag, int *sum) {
  if (threadIdx.x == 0) {
    while (atomicAdd(flag, 0) == 0) {
    }
    __threadfence();
  }
  __syncthreads();
  if (threadIdx.x < n) atomicAdd(sum, data[threadIdx.x]);
}

int main() {
  const int n = 64;
  int *data, *flag, *sum, host = 0;
  cudaStream_t first, second;
  cudaStreamCreate(&first);
  cudaStreamCreate(&second);
  cudaMalloc(&data, n * sizeof(int));
  cudaMalloc(&flag, sizeof(int));
  cudaMalloc(&sum, sizeof(int));
  cudaMemset(flag, 0, sizeof(int));
  cudaMemset(sum, 0, sizeof(int));
  produce<<<1, n, 0, first>>>(data, n, flag);
  consume<<<1, n, 0, second>>>(data, n, flag, sum);
  cudaDeviceSynchronize();
  cudaMemcpy(&host, sum, sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d\n", host);
  cudaFree(data);
  cudaFree(flag);
  cudaFree(sum);
  cudaStreamDestroy(first);
  cudaStreamDestroy(second);
  return 0;
}
