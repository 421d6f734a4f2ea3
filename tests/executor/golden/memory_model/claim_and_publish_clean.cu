// expect: clean
// options: --strict
// A compare-and-swap claims a slot, and a flag publishes it: the claim needs no acquire.
#include <cuda_runtime.h>

__global__ void table(int* state, int* value, int* out) {
  if (blockIdx.x == 0) {
    if (atomicCAS(state, 0, 1) == 0) {
      *value = 17;
      __threadfence();
      atomicExch(state, 2);
    }
  } else {
    while (atomicAdd(state, 0) != 2) {
    }
    __threadfence();
    *out = *value;
  }
}

int main() {
  int *state, *value, *out;
  cudaMalloc(&state, sizeof(int));
  cudaMalloc(&value, sizeof(int));
  cudaMalloc(&out, sizeof(int));
  cudaMemset(state, 0, sizeof(int));
  cudaMemset(value, 0, sizeof(int));
  cudaMemset(out, 0, sizeof(int));
  table<<<2, 1>>>(state, value, out);
  cudaDeviceSynchronize();
  cudaFree(state);
  cudaFree(value);
  cudaFree(out);
  return 0;
}
