// expect: clean
// The offset is correct.
#include <cuda_runtime.h>

__global__ void store(int* out, long long at) { out[at] = 1; }

int main() {
  int* out;
  cudaMalloc(&out, sizeof(int));
  store<<<1, 1>>>(out, 0);
  cudaDeviceSynchronize();
  cudaFree(out);
  return 0;
}
