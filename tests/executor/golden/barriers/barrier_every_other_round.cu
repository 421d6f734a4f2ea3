// expect: divergent_barrier kernel=turns line=8 other=8
// options: --strict
// Even warps reach the barrier in even iterations, odd warps in odd ones: equally often, but never together.
#include <cuda_runtime.h>

__global__ void turns(int* out) {
  for (int round = 0; round < 4; ++round) {
    if ((round + threadIdx.x / 32) % 2 == 0) __syncthreads();
    else out[threadIdx.x] = round;
  }
}

int main() {
  int* out;
  cudaMalloc(&out, 64 * sizeof(int));
  turns<<<1, 64>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
  return 0;
}
