// expect: clean
// The condition is uniform across the block, so all threads wait at the same barrier.
#include <cuda_runtime.h>

__global__ void stage(int* out) {
  __shared__ int s[96];
  int t = threadIdx.x;
  s[t] = t;
  if (blockIdx.x % 2 == 0) {
    s[t] += 10;
    __syncthreads();
    s[t] *= 2;
  } else {
    s[t] += 20;
    __syncthreads();
    s[t] *= 3;
  }
  out[blockIdx.x * 96 + t] = s[t];
}

int main() {
  int* out;
  cudaMalloc(&out, 192 * sizeof(int));
  stage<<<2, 96>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
  return 0;
}
