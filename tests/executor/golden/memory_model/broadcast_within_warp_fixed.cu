// expect: clean
// All lanes read what one lane has written, after __syncwarp.
#include <cuda_runtime.h>

__global__ void broadcast(int* out) {
  __shared__ volatile int value;
  const int lane = threadIdx.x;
  if (lane == 0) value = 7;
  __syncwarp();
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
