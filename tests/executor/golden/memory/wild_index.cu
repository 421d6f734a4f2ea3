// expect: out_of_bounds kernel=store line=7 space=global
// An index 16 GiB past an array leads to no allocation. It ends the launch, and no other array is blamed.
#include <cuda_runtime.h>

__global__ void store(int* out, long long shift) {
  const long long i = blockIdx.x * 256ll + threadIdx.x + shift;
  out[i] = 1;
}

int main() {
  int *out, *other;
  cudaMalloc(&out, 4096 * sizeof(int));
  cudaMalloc(&other, 4096 * sizeof(int));
  store<<<16, 256>>>(out, 1ll << 32);
  cudaDeviceSynchronize();
  cudaFree(out);
  cudaFree(other);
  return 0;
}
