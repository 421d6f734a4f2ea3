// expect: out_of_bounds kernel=square line=8 space=global
// A __managed__ array is one element too short.
#include <cuda_runtime.h>

__managed__ int values[63];

__global__ void square(int n) {
  if (threadIdx.x < n) values[threadIdx.x] *= static_cast<int>(threadIdx.x);
}

int main() {
  for (int i = 0; i < 63; ++i) values[i] = i;
  square<<<1, 64>>>(64);
  return cudaDeviceSynchronize();
}
