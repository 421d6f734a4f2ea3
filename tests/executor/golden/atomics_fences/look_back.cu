// expect: race kernel=chain line=18 other=16 space=global
// No fence separates the store of the prefix from the store of its flag.
#include <cuda_runtime.h>

__global__ void chain(const int* in, int* order, int* flags, int* prefix, int* out) {
  __shared__ int tile, before;
  if (threadIdx.x == 0) tile = atomicAdd(order, 1);
  __syncthreads();
  int i = tile * blockDim.x + threadIdx.x;
  int sum = __syncthreads_count(in[i] > 0);
  if (threadIdx.x == 0) {
    int running = 0;
    if (tile > 0) {
      while (atomicAdd(&flags[tile - 1], 0) == 0) {
      }
      running = prefix[tile - 1];
    }
    prefix[tile] = running + sum;
    atomicExch(&flags[tile], 1);
    before = running;
  }
  __syncthreads();
  out[i] = before + threadIdx.x;
}

int main() {
  const int tiles = 6, n = tiles * 64;
  int *in, *order, *flags, *prefix, *out;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&order, sizeof(int));
  cudaMalloc(&flags, tiles * sizeof(int));
  cudaMalloc(&prefix, tiles * sizeof(int));
  cudaMalloc(&out, n * sizeof(int));
  cudaMemset(in, 1, n * sizeof(int));
  cudaMemset(order, 0, sizeof(int));
  cudaMemset(flags, 0, tiles * sizeof(int));
  cudaMemset(prefix, 0, tiles * sizeof(int));
  chain<<<tiles, 64>>>(in, order, flags, prefix, out);
  cudaDeviceSynchronize();
  for (int* p : {in, order, flags, prefix, out}) cudaFree(p);
  return 0;
}
