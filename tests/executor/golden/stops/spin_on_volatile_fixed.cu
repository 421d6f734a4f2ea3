// expect: clean
// options: --time-limit 3
// Another thread stores the value that the thread waits for.
#include <cuda_runtime.h>

__global__ void wait_for_flag(int* out) {
  __shared__ volatile int go;
  if (threadIdx.x == 0) go = 0;
  __syncthreads();
  if (threadIdx.x == 0) go = 1;
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
