// expect: clean
// The block votes instead.
#include <cuda_runtime.h>

__global__ void contains(const int* in, int value, int* out) {
  int found = __syncthreads_or(in[blockIdx.x * blockDim.x + threadIdx.x] == value);
  if (threadIdx.x == 0) out[blockIdx.x] = found;
}

int main() {
  int *in, *out;
  cudaMalloc(&in, 256 * sizeof(int));
  cudaMalloc(&out, 2 * sizeof(int));
  cudaMemset(in, 1, 256 * sizeof(int));
  contains<<<2, 128>>>(in, 0x01010101, out);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
  return 0;
}
