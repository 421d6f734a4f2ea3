// expect: race kernel=step line=12 other=11 space=global
// Blocks write their cells while the blocks below still read them as halo cells.
#include <cuda_runtime.h>

__global__ void step(const int* from, int* to, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x >= n || y >= n || z >= n - 1) return;
  int i = (z * n + y) * n + x;
  int above = from[i + n * n];
  to[i] = above + i;
}

int main() {
  const int n = 10, cells = n * n * n;
  int *a, *b;
  cudaMalloc(&a, cells * sizeof(int));
  cudaMalloc(&b, cells * sizeof(int));
  cudaMemset(a, 1, cells * sizeof(int));
  step<<<dim3(3, 3, 10), dim3(4, 4, 1)>>>(a, a, n);
  cudaDeviceSynchronize();
  cudaFree(a);
  cudaFree(b);
  return 0;
}
