// expect: race kernel=count line=8 other=8 space=global
// Block scope on a counter that all blocks share.
#include <cuda/atomic>
#include <cuda_runtime.h>

__global__ void count(int* total) {
  cuda::atomic_ref<int, cuda::thread_scope_block> sum(*total);
  sum.fetch_add(1, cuda::memory_order_relaxed);
}

int main() {
  int *total;
  cudaMalloc(&total, sizeof(int));
  cudaMemset(total, 0, sizeof(int));
  count<<<2, 64>>>(total);
  cudaDeviceSynchronize();
  cudaFree(total);
  return 0;
}
