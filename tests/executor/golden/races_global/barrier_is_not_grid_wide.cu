// expect: race kernel=shift line=8 other=10 space=global
// __syncthreads is used as if it were a grid-wide barrier.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

__global__ void shift(int* a, int* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = i * 5 + 1;
  __syncthreads();
  if (i < n) b[i] = a[(i + 40) % n];
}

int main() {
  int n = 200;
  int *a, *b;
  cudaMalloc(&a, n * sizeof(int));
  cudaMalloc(&b, n * sizeof(int));
  cudaMemset(a, 0, n * sizeof(int));
  shift<<<4, 64>>>(a, b, n);
  cudaDeviceSynchronize();
  cudaFree(a);
  cudaFree(b);
  return 0;
}
