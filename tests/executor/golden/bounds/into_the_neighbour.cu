// expect: out_of_bounds kernel=mark line=6 space=global
// options: --isolate
// An access far past the end of one array hits another array; freed memory is not reused.
#include <cuda_runtime.h>

__global__ void mark(int* values, long at) { values[at] = 1; }

int main() {
  const long n = 1 << 20;
  int *a, *b, *c;
  cudaMalloc(&a, n * sizeof(int));
  cudaMalloc(&b, 64 * n * sizeof(int));
  mark<<<1, 1>>>(a, 3 * n);
  cudaDeviceSynchronize();
  cudaFree(a);
  cudaMalloc(&c, n * sizeof(int));
  const bool again = a == c;
  cudaFree(b);
  cudaFree(c);
  return again;
}
