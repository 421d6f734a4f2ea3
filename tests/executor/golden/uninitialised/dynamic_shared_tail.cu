// expect: uninitialised kernel=block_max line=13 space=shared
// Threads past the end load nothing, but the reduction tree reads their elements.
#include <cuda_runtime.h>

__global__ void block_max(const int* in, int n, int* out) {
  extern __shared__ int s[];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  if (i < n) s[t] = in[i];
  __syncthreads();
  for (int k = blockDim.x / 2; k > 0; k /= 2) {
    int best = 0;
    if (t < k) {
      int other = s[t + k];
      best = other > s[t] ? other : s[t];
    }
    if (t < k) s[t] = best;
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0];
}

int main() {
  const int n = 192;
  int *in, *out;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&out, 2 * sizeof(int));
  cudaMemset(in, 1, n * sizeof(int));
  block_max<<<2, 128, 128 * sizeof(int)>>>(in, n, out);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
  return 0;
}
