// expect: kernel_touches_host kernel=lookup line=9
// The kernel gets the address of a global host array.
#include <cuda_runtime.h>

int weights[8] = {1, 2, 3, 4, 5, 6, 7, 8};

__global__ void lookup(const int* table, int* out) {
  int i = threadIdx.x;
  out[i] = table[i % 8];
}

int main() {
  int *out, *table;
  cudaMalloc(&out, 32 * sizeof(int));
  table = weights;
  lookup<<<1, 32>>>(table, out);
  cudaDeviceSynchronize();
  cudaFree(out);
  return 0;
}
