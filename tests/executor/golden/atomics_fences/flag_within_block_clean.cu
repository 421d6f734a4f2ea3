// expect: clean
// Warps of one block synchronise through shared memory: an atomic flag and block-scope fences.
#include <cuda_runtime.h>

__global__ void pipeline(const int* in, int* out) {
  __shared__ int data[32];
  __shared__ int arrived;
  int lane = threadIdx.x % 32;
  if (threadIdx.x == 0) arrived = 0;
  __syncthreads();
  if (threadIdx.x < 32) {
    data[lane] = in[lane] + 1;
    __threadfence_block();
    atomicAdd(&arrived, 1);
  } else {
    while (atomicAdd(&arrived, 0) < 32) {
    }
    __threadfence_block();
    out[lane] = data[31 - lane];
  }
}

int main() {
  int *in, *out;
  cudaMalloc(&in, 32 * sizeof(int));
  cudaMalloc(&out, 32 * sizeof(int));
  cudaMemset(in, 0, 32 * sizeof(int));
  pipeline<<<1, 64>>>(in, out);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
  return 0;
}
