// expect: exited_before_barrier kernel=exchange line=9
// Threads past the end return before a grid-wide barrier.
#include <cooperative_groups.h>

__global__ void exchange(int* values, int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  values[i] = i;
  cooperative_groups::this_grid().sync();
  out[i] = values[n - 1 - i];
}

int main() {
  int n = 100, *values, *out;
  cudaMalloc(&values, 128 * sizeof(int));
  cudaMalloc(&out, 128 * sizeof(int));
  void* arguments[] = {&values, &out, &n};
  cudaLaunchCooperativeKernel((void*)exchange, 2, 64, arguments, 0, nullptr);
  cudaDeviceSynchronize();
  cudaFree(values);
  cudaFree(out);
  return 0;
}
