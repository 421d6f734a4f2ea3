// expect: same_value_race kernel=start line=10 other=10 space=shared
// A block's last access before the grid barrier, after which the executor runs other blocks at the same shared address.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

__global__ void start(int* out) {
  __shared__ int mark;
  mark = 7;
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
