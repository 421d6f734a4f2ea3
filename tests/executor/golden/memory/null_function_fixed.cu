// expect: clean
// The kernel falls back to a default function.
#include <cuda_runtime.h>

typedef int (*Step)(int);
__device__ int twice(int x) { return 2 * x; }

__global__ void steps(Step given, int* out) {
  Step step = given ? given : twice;
  *out = step(3);
}

int main() {
  int* out;
  cudaMalloc(&out, sizeof(int));
  steps<<<1, 1>>>(nullptr, out);
  cudaDeviceSynchronize();
  cudaFree(out);
  return 0;
}
