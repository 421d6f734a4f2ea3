// expect: clean
// Barriers before and after the reset.
#include <cuda_runtime.h>

__global__ void rounds(const int* in, int* out, int n_rounds) {
  __shared__ int count;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  for (int r = 0; r < n_rounds; ++r) {
    if (in[r * blockDim.x + threadIdx.x] > 0) atomicAdd(&count, 1);
    __syncthreads();
    if (threadIdx.x == 0) {
      out[r] = count;
      count = 0;
    }
    __syncthreads();
  }
  if (threadIdx.x == 0) out[n_rounds] = count;
}

int main() {
  const int n_rounds = 3;
  int *in, *out;
  cudaMalloc(&in, n_rounds * 96 * sizeof(int));
  cudaMalloc(&out, (n_rounds + 1) * sizeof(int));
  cudaMemset(in, 1, n_rounds * 96 * sizeof(int));
  rounds<<<1, 96>>>(in, out, n_rounds);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
  return 0;
}
