// expect: deadlock kernel=some line=9
// One warp of one block waits at a block barrier and never reaches the cluster barrier.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void __cluster_dims__(2, 1, 1) some(int* out) {
  cg::cluster_group cluster = cg::this_cluster();
  if (blockIdx.x == 1 && threadIdx.x < 32) __syncthreads();  // one warp only
  cluster.sync();  // all other threads
  if (blockIdx.x == 0) out[threadIdx.x] = 1;
}

int main() {
  int* out;
  cudaMalloc(&out, 64 * sizeof(int));
  some<<<2, 64>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
  return 0;
}
