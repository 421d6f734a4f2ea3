// expect: out_of_bounds kernel=reverse line=8 space=shared
// The launch omits the size of the dynamic shared memory.
#include <cuda_runtime.h>

__global__ void reverse(int* data, int* sum) {
  extern __shared__ int s[];
  __shared__ int total;
  s[threadIdx.x] = data[threadIdx.x];
  if (threadIdx.x == 0) total = blockDim.x;
  __syncthreads();
  data[threadIdx.x] = total - threadIdx.x;
  if (threadIdx.x == 0) *sum = total;
}

int main() {
  const int n = 64;
  int *data, *sum;
  cudaMalloc(&data, n * sizeof(int));
  cudaMalloc(&sum, sizeof(int));
  cudaMemset(data, 0, n * sizeof(int));
  reverse<<<1, n>>>(data, sum);
  cudaDeviceSynchronize();
  cudaFree(data);
  cudaFree(sum);
  return 0;
}
