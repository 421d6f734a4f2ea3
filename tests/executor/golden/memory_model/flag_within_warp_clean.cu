// expect: clean
// A volatile flag between two lanes of one warp: each branch is executed by one of them.
#include <cuda_runtime.h>

__global__ void wait_for_lane(volatile int* flag, int* out) {
  if (threadIdx.x == 33) *flag = 1;
  if (threadIdx.x == 32) {
    while (*flag == 0) {
    }
    out[0] = 1;
  }
}

int main() {
  int* flag;
  cudaMalloc(&flag, 2 * sizeof(int));
  cudaMemset(flag, 0, 2 * sizeof(int));
  wait_for_lane<<<1, 64>>>(flag, flag + 1);
  cudaDeviceSynchronize();
  cudaFree(flag);
  return 0;
}
