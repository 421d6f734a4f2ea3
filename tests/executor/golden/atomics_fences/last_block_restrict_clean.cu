// expect: clean
// __restrict__ does not allow the compiler to move a store past the fence that publishes it.
#include <cuda_runtime.h>

__global__ void sum(const int* __restrict__ in, int* __restrict__ partial, unsigned* __restrict__ n_done,
                    int* __restrict__ total) {
  __shared__ bool is_last;
  __shared__ int block_sum;
  if (threadIdx.x == 0) block_sum = 0;
  __syncthreads();
  atomicAdd(&block_sum, in[blockIdx.x * blockDim.x + threadIdx.x]);
  __syncthreads();
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = block_sum;
    __threadfence();
    unsigned ticket = atomicAdd(n_done, 1u);
    __threadfence();
    is_last = ticket == gridDim.x - 1;
  }
  __syncthreads();
  if (is_last && threadIdx.x == 0) {
    int all = 0;
    for (unsigned block = 0; block < gridDim.x; ++block) all += partial[block];
    *total = all;
  }
}

int main() {
  int *in, *partial, *total;
  unsigned* n_done;
  cudaMalloc(&in, 512 * sizeof(int));
  cudaMalloc(&partial, 8 * sizeof(int));
  cudaMalloc(&total, sizeof(int));
  cudaMalloc(&n_done, sizeof(unsigned));
  cudaMemset(in, 0, 512 * sizeof(int));
  cudaMemset(n_done, 0, sizeof(unsigned));
  sum<<<8, 64>>>(in, partial, n_done, total);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(partial);
  cudaFree(total);
  cudaFree(n_done);
  return 0;
}
