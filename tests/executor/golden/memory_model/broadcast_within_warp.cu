// expect: race kernel=broadcast line=8 other=9 space=shared
// All lanes read what one lane has written: volatile does not make them wait for it.
#include <cuda_runtime.h>

__global__ void broadcast(int* out) {
  __shared__ volatile int value;
  const int lane = threadIdx.x;
  if (lane == 0) value = 7;
  out[lane] = value;
}

int main() {
  int* out;
  cudaMalloc(&out, 32 * sizeof(int));
  broadcast<<<1, 32>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
  return 0;
}
