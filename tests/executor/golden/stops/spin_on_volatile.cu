// expect: no_progress kernel=wait_for_flag line=13
// options: --time-limit 1
// A thread waits for a value that the volatile flag never has.
#include <cuda_runtime.h>

__global__ void wait_for_flag(int* out) {
  __shared__ volatile int go;
  if (threadIdx.x == 0) go = 0;
  __syncthreads();
  if (threadIdx.x == 0) go = 2;
  __syncthreads();
  if (threadIdx.x == 32) {
    while (go != 1) {
    }
  }
  out[threadIdx.x] = go;
}

int main() {
  int* out;
  cudaMalloc(&out, 64 * sizeof(int));
  wait_for_flag<<<1, 64>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
  return 0;
}
