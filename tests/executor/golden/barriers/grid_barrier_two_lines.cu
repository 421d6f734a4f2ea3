// expect: divergent_barrier kernel=exchange line=10 other=13
// Half of each block waits at one call of the grid barrier, the other half at another.
#include <cooperative_groups.h>

__global__ void exchange(int* values, int* out, int n) {
  auto grid = cooperative_groups::this_grid();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x < 32) {
    values[i] = i;
    grid.sync();
  } else {
    values[i] = -i;
    grid.sync();
  }
  out[i] = values[n - 1 - i];
}

int main() {
  int n = 128, *values, *out;
  cudaMalloc(&values, n * sizeof(int));
  cudaMalloc(&out, n * sizeof(int));
  void* arguments[] = {&values, &out, &n};
  cudaLaunchCooperativeKernel((void*)exchange, 2, 64, arguments, 0, nullptr);
  cudaDeviceSynchronize();
  cudaFree(values);
  cudaFree(out);
  return 0;
}
