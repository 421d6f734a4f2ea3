// expect: clean
// Only the variable itself is written.
#include <cuda_runtime.h>

__device__ int x;

__global__ void set(int n) {
  for (int i = 0; i < n; ++i) (&x)[i] = i;
}

int main() {
  set<<<1, 1>>>(1);
  return cudaDeviceSynchronize();
}
