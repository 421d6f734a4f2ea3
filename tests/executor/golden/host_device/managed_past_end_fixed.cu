// expect: clean
// A __managed__ array is accessed up to its last element.
#include <cuda_runtime.h>

__managed__ int values[64];

__global__ void square(int n) {
  if (threadIdx.x < n) values[threadIdx.x] *= static_cast<int>(threadIdx.x);
}

int main() {
  for (int i = 0; i < 64; ++i) values[i] = i;
  square<<<1, 64>>>(64);
  return cudaDeviceSynchronize();
}
