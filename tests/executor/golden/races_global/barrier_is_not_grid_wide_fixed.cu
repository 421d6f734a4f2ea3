// expect: clean
// A cooperative launch provides a grid-wide barrier.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

__global__ void shift(int* a, int* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = i * 5 + 1;
  cooperative_groups::this_grid().sync();
  if (i < n) b[i] = a[(i + 40) % n];
}

int main() {
  int n = 200;
  int *a, *b;
  cudaMalloc(&a, n * sizeof(int));
  cudaMalloc(&b, n * sizeof(int));
  cudaMemset(a, 0, n * sizeof(int));
  void* arguments[] = {&a, &b, &n};
  cudaLaunchCooperativeKernel((void*)shift, dim3(4), dim3(64), arguments, 0, 0);
  cudaDeviceSynchronize();
  cudaFree(a);
  cudaFree(b);
  return 0;
}
