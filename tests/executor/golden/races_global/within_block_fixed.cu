// expect: clean
// __syncthreads also orders global memory accesses within the block.
#include <cuda_runtime.h>

__global__ void reverse(const int* in, int* scratch, int* out) {
  int base = blockIdx.x * blockDim.x, t = threadIdx.x;
  scratch[base + t] = in[base + t];
  __syncthreads();
  out[base + t] = scratch[base + blockDim.x - 1 - t];
}

int main() {
  const int n = 192;
  int *in, *scratch, *out;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&scratch, n * sizeof(int));
  cudaMalloc(&out, n * sizeof(int));
  cudaMemset(in, 1, n * sizeof(int));
  cudaMemset(scratch, 0, n * sizeof(int));
  reverse<<<2, 96>>>(in, scratch, out);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(scratch);
  cudaFree(out);
  return 0;
}
