// expect: clean
// A cluster barrier orders the remote read after the writes of the other block.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void __cluster_dims__(2, 1, 1) exchange(int* out) {
  __shared__ int tile[32];
  cg::cluster_group cluster = cg::this_cluster();
  cluster.sync();
  tile[threadIdx.x] = threadIdx.x;
  cluster.sync();
  if (cluster.block_rank() == 0) out[threadIdx.x] = cluster.map_shared_rank(tile, 1)[31 - threadIdx.x];  // memory of rank 1
  cluster.sync();
}

int main() {
  int* out;
  cudaMalloc(&out, 64 * sizeof(int));
  exchange<<<2, 32>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
  return 0;
}
