// expect: clean
// Different blocks wait at different calls of the grid barrier; all threads of one block wait at the same call.
#include <cooperative_groups.h>

__global__ void exchange(int* values, int* out, int n) {
  auto grid = cooperative_groups::this_grid();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (blockIdx.x == 0) {
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
