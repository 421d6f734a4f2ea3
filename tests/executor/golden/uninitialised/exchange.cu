// expect: uninitialised kernel=take line=8 space=global
// expect: uninitialised kernel=take line=9 space=shared
// The value that an exchange returns was never written.
#include <cuda_runtime.h>

__global__ void take(int* tokens, int* taken) {
  __shared__ int token;
  taken[0] = atomicExch(&tokens[0], 1);
  taken[1] = atomicExch(&token, 1);
}

int main() {
  int *tokens, *taken;
  cudaMalloc(&tokens, 2 * sizeof(int));
  cudaMalloc(&taken, 2 * sizeof(int));
  take<<<1, 1>>>(tokens, taken);
  cudaDeviceSynchronize();
  cudaFree(tokens);
  cudaFree(taken);
  return 0;
}
