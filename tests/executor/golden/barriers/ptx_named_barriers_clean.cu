// expect: clean
// A producer warp arrives at a named barrier without waiting, and waits at a second one until the consumer warps have read.
#include <cuda_runtime.h>

#include <cstdio>

__device__ void sync(int id, int n_threads) { asm volatile("barrier.cta.sync.aligned %0, %1;" ::"r"(id), "r"(n_threads)); }
__device__ void arrive(int id, int n_threads) { asm volatile("bar.arrive %0, %1;" ::"r"(id), "r"(n_threads)); }

__global__ void pipeline(int* sums, int n_rounds) {
  __shared__ int values[32];
  const bool produces = threadIdx.x < 32;
  int sum = 0;
  for (int round = 0; round < n_rounds; ++round) {
    if (produces) {
      if (round > 0) sync(2, 96);
      values[threadIdx.x] = round + threadIdx.x;
      arrive(1, 96);
    } else {
      sync(1, 96);
      sum += values[(threadIdx.x + 1) % 32];
      if (round + 1 < n_rounds) arrive(2, 96);
    }
  }
  if (!produces) sums[threadIdx.x - 32] = sum;
}

int main() {
  int *sums, host[64];
  cudaMalloc(&sums, sizeof host);
  pipeline<<<1, 96>>>(sums, 3);
  cudaMemcpy(host, sums, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%d\n", host[0]);
  cudaFree(sums);
  return host[0] == 0 + 1 + 2 + 3 * 1 ? 0 : 1;
}
