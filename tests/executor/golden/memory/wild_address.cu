// expect: out_of_bounds kernel=store line=5 space=global
// An offset with wrong bits leads to unallocated memory: one finding, not two.
#include <cuda_runtime.h>

__global__ void store(int* out, long long at) { out[at] = 1; }

int main() {
  int* out;
  cudaMalloc(&out, sizeof(int));
  store<<<1, 1>>>(out, -(1ll << 45));
  cudaDeviceSynchronize();
  cudaFree(out);
  return 0;
}
