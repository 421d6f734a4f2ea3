// expect: race kernel=late line=13 other=11 space=shared
// A write after the arrival is not ordered before the other threads' waits.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void __cluster_dims__(2, 1, 1) late(int* out) {
  __shared__ int mine;
  cg::cluster_group cluster = cg::this_cluster();
  cluster.barrier_arrive();
  if (threadIdx.x == 0) mine = blockIdx.x;
  cluster.barrier_wait();
  if (threadIdx.x == 0) out[blockIdx.x] = *cluster.map_shared_rank(&mine, cluster.block_rank() ^ 1);
  cluster.sync();
}

int main() {
  int* out;
  cudaMalloc(&out, 64 * sizeof(int));
  late<<<2, 32>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
  return 0;
}
