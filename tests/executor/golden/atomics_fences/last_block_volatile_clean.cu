// expect: clean
// The programming guide's last-block sum: volatile partial sums, a fence, a ticket.
#include <cuda_runtime.h>

__device__ unsigned int count = 0;

__global__ void sum(const float* in, int n, volatile float* result) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    float partial = 0.0f;
    for (int i = blockIdx.x; i < n; i += gridDim.x) partial += in[i];
    result[blockIdx.x] = partial;
    __threadfence();
    unsigned int value = atomicInc(&count, gridDim.x - 1);
    last = value == gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x == 0) {
    float total = 0.0f;
    for (int b = 0; b < gridDim.x; ++b) total += result[b];
    result[0] = total;
  }
}

int main() {
  const int n = 500, blocks = 7;
  float *in, *result;
  cudaMalloc(&in, n * sizeof(float));
  cudaMalloc(&result, blocks * sizeof(float));
  cudaMemset(in, 0, n * sizeof(float));
  sum<<<blocks, 64>>>(in, n, result);
  sum<<<blocks, 64>>>(in, n, result);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(result);
  return 0;
}
