// expect: race kernel=exchange line=13 other=11 space=shared
// __syncthreads orders the threads of one block, but the memory read is that of another block.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void __cluster_dims__(2, 1, 1) exchange(int* out) {
  __shared__ int tile[32];
  cg::cluster_group cluster = cg::this_cluster();
  cluster.sync();
  tile[threadIdx.x] = threadIdx.x;
  __syncthreads();
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
