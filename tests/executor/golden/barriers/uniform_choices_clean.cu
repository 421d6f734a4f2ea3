// expect: clean
// Barriers under conditions that are uniform across the block, and threads that exit after the last barrier.
#include <cuda_runtime.h>

__global__ void steps(const int* in, int* out, int n) {
  __shared__ int s[64];
  __shared__ int again;
  int t = threadIdx.x, i = blockIdx.x * 64 + t;
  if (blockIdx.x == 3) return;
  s[t] = i < n ? in[i] : 0;
  if (gridDim.x > 2) __syncthreads();
  int rounds = 0;
  do {
    int v = s[(t + 1) % 64];
    __syncthreads();
    s[t] = v + 1;
    if (t == 0) again = ++rounds < 3;
    __syncthreads();
  } while (again);
  int odd = __syncthreads_or(s[t] & 1), all = __syncthreads_and(s[t] > 0);
  if (t >= 32) return;
  if (i < n) out[i] = s[t + 32] + odd + all;
}

int main() {
  const int n = 200;
  int *in, *out;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&out, n * sizeof(int));
  cudaMemset(in, 0, n * sizeof(int));
  steps<<<4, 64>>>(in, out, n);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
  return 0;
}
