// expect: clean
// All threads reach the barrier.
#include <cuda_runtime.h>

__global__ void publish(int* out) {
  __shared__ int s[32];
  s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = s[31] + 1;
}

int main() {
  int* out;
  cudaMalloc(&out, 2 * sizeof(int));
  publish<<<2, 32>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
  return 0;
}
