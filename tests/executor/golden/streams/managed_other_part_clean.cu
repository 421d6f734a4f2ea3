// expect: clean
// The host works on one half of managed memory and a kernel on the other; the host polls a flag that the kernel sets.
#include <cuda_runtime.h>
#include <stdio.h>

__managed__ int n_done = 0;

__global__ void work(int *data, int n, volatile int *flag) {
  int i = threadIdx.x;
  if (i < n) data[i] = i;
  __syncthreads();
  if (i == 0) {
    n_done = n;
    __threadfence_system();
    *flag = 1;
  }
}

int main() {
  const int n = 128;
  int *data, *flag;
  cudaMallocManaged(&data, 2 * n * sizeof(int));
  cudaHostAlloc(&flag, sizeof(int), cudaHostAllocMapped);
  *flag = 0;
  work<<<1, n>>>(data, n, flag);
  for (int i = n; i < 2 * n; ++i) data[i] = -i;
  while (*(volatile int *)flag == 0) {
  }
  printf("%d %d %d\n", data[5], data[n + 5], n_done);
  cudaFree(data);
  cudaFreeHost(flag);
  return 0;
}
