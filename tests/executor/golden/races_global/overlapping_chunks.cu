// expect: race kernel=stamp line=9 other=9 space=global
// Each block also writes the first element of the next block's chunk, with a different value.
#include <cuda_runtime.h>

__global__ void stamp(int* out, int chunk, int n) {
  int first = blockIdx.x * chunk;
  int last = min(first + chunk + 1, n);
  for (int i = first + threadIdx.x; i < last; i += blockDim.x) {
    out[i] = blockIdx.x + 1;
  }
}

int main() {
  const int n = 200;
  int* out;
  cudaMalloc(&out, n * sizeof(int));
  stamp<<<4, 32>>>(out, 50, n);
  cudaDeviceSynchronize();
  cudaFree(out);
  return 0;
}
