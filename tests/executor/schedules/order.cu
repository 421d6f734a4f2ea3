// Races with a result that depends on the order of blocks, warps and lanes. Prints the results.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void last_block_wins(int* winner) {
  if (threadIdx.x == 0) *winner = blockIdx.x;
}

__global__ void last_warp_wins(int* winner) {
  if (threadIdx.x % 32 == 0) winner[blockIdx.x] = threadIdx.x / 32;
}

__global__ void order_of_arrival(int* counter, int* order) {
  if (threadIdx.x % 32 == 0) order[blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32] = atomicAdd(counter, 1);
}

int main() {
  int* device = nullptr;
  int host[81] = {};
  cudaMalloc(&device, sizeof host);
  cudaMemset(device, 0, sizeof host);
  last_block_wins<<<20, 64>>>(device);
  last_warp_wins<<<8, 256>>>(device + 1);
  order_of_arrival<<<8, 256>>>(device + 16, device + 17);
  cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);
  for (int value : host) std::printf("%d ", value);
  std::printf("\n");
  cudaFree(device);
}
