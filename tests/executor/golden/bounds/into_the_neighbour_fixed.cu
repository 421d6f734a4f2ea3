// expect: clean
// options: --isolate
// Arrays placed far apart, each accessed up to its last element.
#include <cuda_runtime.h>

__global__ void mark(int* values, long at) { values[at] = 1; }

int main() {
  const long n = 1 << 20;
  int *a, *b, *c;
  cudaMalloc(&a, n * sizeof(int));
  cudaMalloc(&b, 64 * n * sizeof(int));
  mark<<<1, 1>>>(a, n - 1);
  cudaDeviceSynchronize();
  cudaFree(a);
  cudaMalloc(&c, n * sizeof(int));
  const bool again = a == c;
  cudaFree(b);
  cudaFree(c);
  return again;
}
