// expect: clean
// The shuffle mask names only the half that takes part.
#include <cuda_runtime.h>

__global__ void mixed(int* out) {
  __shared__ int s[64];
  int t = threadIdx.x, v = t;
  if (t % 32 < 16) {
    v = __shfl_sync(0x0000ffffu, v, 0);
  }
  s[t] = v;
  __syncthreads();
  out[t] = s[63 - t];
}

int main() {
  int* out;
  cudaMalloc(&out, 64 * sizeof(int));
  mixed<<<1, 64>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
  return 0;
}
