// expect: clean
// The index is wrapped to the table's size.
#include <cuda_runtime.h>

__device__ int table[32];

__global__ void fill() { table[threadIdx.x] = threadIdx.x; }

__global__ void lookup(int* out) {
  int i = threadIdx.x;
  out[i] = table[i % 32];
}

int main() {
  int* out;
  cudaMalloc(&out, 40 * sizeof(int));
  fill<<<1, 32>>>();
  lookup<<<1, 40>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
  return 0;
}
