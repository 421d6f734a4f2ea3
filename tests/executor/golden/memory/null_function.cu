// expect: out_of_bounds kernel=steps line=10
// A kernel calls a function through a null pointer.
#include <cuda_runtime.h>

typedef int (*Step)(int);
__device__ int twice(int x) { return 2 * x; }

__global__ void steps(Step given, int* out) {
  Step step = given;
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
