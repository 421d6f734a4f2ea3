// expect: race kernel=reuse line=10 other=12 space=shared
// Two lanes of one warp and one lane of another read; only the first warp synchronises.
#include <cuda_runtime.h>

__global__ void reuse(int* out) {
  __shared__ int data;
  const int t = threadIdx.x;
  if (t == 0) data = 7;
  __syncthreads();
  if (t < 2 || t == 40) out[t] = data;
  __syncwarp();
  if (t == 0) data = 1;
}

int main() {
  int *out;
  cudaMalloc(&out, 64 * sizeof(int));
  cudaMemset(out, 0, 64 * sizeof(int));
  reuse<<<1, 64>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
  return 0;
}
