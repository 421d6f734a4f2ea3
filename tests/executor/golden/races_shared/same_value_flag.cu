// expect: same_value_race kernel=contains line=10 other=10 space=shared
// Every thread that finds the value sets the same flag to the same value.
#include <cuda_runtime.h>

__global__ void contains(const int* in, int value, int* out) {
  __shared__ int found;
  if (threadIdx.x == 0) found = 0;
  __syncthreads();
  if (in[blockIdx.x * blockDim.x + threadIdx.x] == value) {
    found = 1;
  }
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = found;
}

int main() {
  int *in, *out;
  cudaMalloc(&in, 256 * sizeof(int));
  cudaMalloc(&out, 2 * sizeof(int));
  cudaMemset(in, 1, 256 * sizeof(int));
  contains<<<2, 128>>>(in, 0x01010101, out);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
  return 0;
}
