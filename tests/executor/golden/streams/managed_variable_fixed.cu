// expect: clean
// The host reads a managed variable after the kernel that counts in it has finished.
#include <cuda_runtime.h>
#include <stdio.h>

__managed__ int hits;

__global__ void count(const int *data, int n) {
  int i = threadIdx.x;
  if (i < n && data[i] % 3 == 0) atomicAdd(&hits, 1);
}

int main() {
  int *data;
  cudaMalloc(&data, 100 * sizeof(int));
  cudaMemset(data, 0, 100 * sizeof(int));
  hits = 0; count<<<1, 128>>>(data, 100); cudaDeviceSynchronize(); printf("%d\n", hits);
  cudaFree(data);
  return 0;
}
