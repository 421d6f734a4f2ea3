// expect: clean
// The same kernel with a shift of zero.
#include <cuda_runtime.h>

__global__ void store(int* out, long long shift) {
  const long long i = blockIdx.x * 256ll + threadIdx.x + shift;
  out[i] = 1;
}

int main() {
  int *out, *other;
  cudaMalloc(&out, 4096 * sizeof(int));
  cudaMalloc(&other, 4096 * sizeof(int));
  store<<<16, 256>>>(out, 0);
  cudaDeviceSynchronize();
  cudaFree(out);
  cudaFree(other);
  return 0;
}
