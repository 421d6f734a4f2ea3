// expect: clean
// The mask names all callers.
#include <cuda_runtime.h>

__global__ void halve(int* out) {
  int lane = threadIdx.x, v = lane;
  if (lane < 16) {
    v = __shfl_xor_sync(0xffffu, v, 1);
  }
  out[lane] = v;
}

int main() {
  int* out;
  cudaMalloc(&out, 32 * sizeof(int));
  halve<<<1, 32>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
  return 0;
}
