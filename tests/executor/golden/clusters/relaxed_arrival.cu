// expect: race kernel=pass_on line=13 other=10 space=shared
// A relaxed arrival releases nothing: the waiting threads do not acquire the arriving threads' writes.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void __cluster_dims__(2, 1, 1) pass_on(int* out) {
  __shared__ int mine;
  cg::cluster_group cluster = cg::this_cluster();
  if (threadIdx.x == 0) mine = blockIdx.x;
  __cluster_barrier_arrive_relaxed();
  __cluster_barrier_wait();
  if (threadIdx.x == 0) out[blockIdx.x] = *cluster.map_shared_rank(&mine, cluster.block_rank() ^ 1);
  cluster.sync();
}

int main() {
  int* out;
  cudaMalloc(&out, 64 * sizeof(int));
  pass_on<<<2, 32>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
  return 0;
}
