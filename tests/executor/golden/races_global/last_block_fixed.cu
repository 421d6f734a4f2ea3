// expect: clean
// Fences before and after the ticket publish the partial sums.
#include <cuda_runtime.h>

__device__ unsigned int tickets = 0;

__global__ void total(const int* in, int* partial, int* out) {
  __shared__ bool last;
  int block_sum = __syncthreads_count(in[blockIdx.x * blockDim.x + threadIdx.x] > 0);
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = block_sum + blockIdx.x;
    __threadfence();
    unsigned int ticket = atomicInc(&tickets, gridDim.x - 1);
    __threadfence();
    last = ticket == gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x == 0) {
    int sum = 0;
    for (int b = 0; b < gridDim.x; ++b) sum += partial[b];
    *out = sum;
  }
}

int main() {
  const int blocks = 6;
  int *in, *partial, *out;
  cudaMalloc(&in, blocks * 64 * sizeof(int));
  cudaMalloc(&partial, blocks * sizeof(int));
  cudaMalloc(&out, sizeof(int));
  cudaMemset(in, 1, blocks * 64 * sizeof(int));
  cudaMemset(partial, 0, blocks * sizeof(int));
  total<<<blocks, 64>>>(in, partial, out);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(partial);
  cudaFree(out);
  return 0;
}
