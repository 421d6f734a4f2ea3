// expect: clean
// Threads past the end stay and contribute zero.
#include <cuda_runtime.h>

__global__ void warp_sum(const int* in, int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int v = i < n ? in[i] : 0;
  for (int d = 16; d > 0; d >>= 1) {
    v += __shfl_down_sync(0xffffffffu, v, d);
  }
  if (threadIdx.x % 32 == 0) out[i / 32] = v;
}

int main() {
  const int n = 75;
  int *in, *out;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&out, 4 * sizeof(int));
  cudaMemset(in, 1, n * sizeof(int));
  warp_sum<<<2, 64>>>(in, out, n);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
  return 0;
}
