// expect: out_of_bounds kernel=set line=8 space=global
// An access past the end of a variable whose name could be read as that of a type.
#include <cuda_runtime.h>

__device__ int x;

__global__ void set(int n) {
  for (int i = 0; i < n; ++i) (&x)[i] = i;
}

int main() {
  set<<<1, 1>>>(2);
  return cudaDeviceSynchronize();
}
