// expect: clean
// Only one thread writes.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

__global__ void start(int* out) {
  __shared__ int mark;
  if (threadIdx.x == 1) mark = 7;
  cg::this_grid().sync();
  if (threadIdx.x == 0) out[blockIdx.x] = mark;
}

int main() {
  int* out;
  cudaMalloc(&out, 4 * sizeof(int));
  void* arguments[] = {&out};
  cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(start), dim3(4), dim3(2), arguments, 0, nullptr);
  cudaDeviceSynchronize();
  cudaFree(out);
  return 0;
}
