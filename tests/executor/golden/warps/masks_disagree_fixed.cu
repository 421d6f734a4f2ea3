// expect: clean
// Each half passes its own mask.
#include <cuda_runtime.h>

__global__ void sum_pairs(int* out) {
  int lane = threadIdx.x % 32;
  unsigned mask = lane < 16 ? 0x0000ffffu : 0xffff0000u;
  int v = lane * 3;
  v += __shfl_xor_sync(mask, v, 1);
  out[threadIdx.x] = v;
}

int main() {
  int* out;
  cudaMalloc(&out, 64 * sizeof(int));
  sum_pairs<<<1, 64>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
  return 0;
}
