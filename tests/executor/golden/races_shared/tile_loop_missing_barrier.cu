// expect: race kernel=mirror_sum line=9 other=11 space=shared
// The next tile is loaded while other threads still read the last one: the loop's second barrier is missing.
#include <cuda_runtime.h>

__global__ void mirror_sum(const int* in, int* out, int tiles) {
  __shared__ int s[128];
  int t = threadIdx.x, sum = 0;
  for (int k = 0; k < tiles; ++k) {
    s[t] = in[k * 128 + t];
    __syncthreads();
    sum += s[127 - t];
  }
  out[t] = sum;
}

int main() {
  const int tiles = 5;
  int *in, *out;
  cudaMalloc(&in, tiles * 128 * sizeof(int));
  cudaMalloc(&out, 128 * sizeof(int));
  cudaMemset(in, 1, tiles * 128 * sizeof(int));
  mirror_sum<<<1, 128>>>(in, out, tiles);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
  return 0;
}
