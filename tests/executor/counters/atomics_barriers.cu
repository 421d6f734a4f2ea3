// Atomics with full, partial and no contention, and barriers in loops and branches.
#include <cuda_runtime.h>

__global__ void one_address(int* sums) { atomicAdd(&sums[0], 1); }
__global__ void four_addresses(int* sums) { atomicAdd(&sums[threadIdx.x % 4], 1); }
__global__ void own_addresses(int* sums) { atomicAdd(&sums[threadIdx.x], 1); }
__global__ void shared_bin(int* sums) {
  __shared__ int bin;
  if (threadIdx.x == 0) bin = 0;
  __syncthreads();
  atomicAdd(&bin, 1);
  __syncthreads();
  if (threadIdx.x == 0) atomicMax(&sums[0], bin);
}
__global__ void shared_bins(int* sums) {
  __shared__ int bins[64];
  bins[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&bins[threadIdx.x / 4], 1);
  __syncthreads();
  sums[threadIdx.x] = bins[threadIdx.x];
}
__global__ void three_rounds(int* sums) {
  __shared__ int turn;
  for (int round = 0; round < 3; ++round) {
    if (threadIdx.x == 0) turn = round;
    __syncthreads();
    if (threadIdx.x == 1) sums[blockIdx.x] = turn;
    __syncthreads();
  }
}

int main() {
  int* sums = nullptr;
  cudaMalloc(&sums, 256 * sizeof(int));
  cudaMemset(sums, 0, 256 * sizeof(int));
  one_address<<<4, 64>>>(sums);
  four_addresses<<<4, 64>>>(sums);
  own_addresses<<<4, 64>>>(sums);
  own_addresses<<<4, 64>>>(sums);
  shared_bin<<<4, 64>>>(sums);
  shared_bins<<<4, 64>>>(sums);
  three_rounds<<<4, 64>>>(sums);
  cudaFree(sums);
  return cudaDeviceSynchronize() != cudaSuccess;
}
