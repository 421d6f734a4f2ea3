// expect: divergent_barrier kernel=publish line=9 other=12
// Only the leader reaches the barrier; the other threads have exited.
#include <cuda_runtime.h>

__global__ void publish(int* out) {
  __shared__ int s[32];
  s[threadIdx.x] = threadIdx.x;
  if (threadIdx.x == 0) {
    __syncthreads();
    out[blockIdx.x] = s[0] + 1;
  }
}

int main() {
  int* out;
  cudaMalloc(&out, 2 * sizeof(int));
  publish<<<2, 32>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
  return 0;
}
