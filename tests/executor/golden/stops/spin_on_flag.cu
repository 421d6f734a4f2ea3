// expect: no_progress kernel=wait_for_flag line=8
// options: --time-limit 1
// A block waits for a flag that is never set.
#include <cuda_runtime.h>

__global__ void wait_for_flag(int* flag, int* out) {
  if (blockIdx.x == 0) {
    while (atomicAdd(flag, 0) == 0) {
    }
    *out = 1;
  } else {
    out[1] = 1;
  }
}

int main() {
  int *flag, *out;
  cudaMalloc(&flag, sizeof(int));
  cudaMalloc(&out, 2 * sizeof(int));
  cudaMemset(flag, 0, sizeof(int));
  wait_for_flag<<<2, 1>>>(flag, out);
  cudaDeviceSynchronize();
  cudaFree(flag);
  cudaFree(out);
  return 0;
}
