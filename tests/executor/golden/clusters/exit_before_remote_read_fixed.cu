// expect: clean
// A cluster barrier at the end keeps every block alive until all remote reads are done.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void __cluster_dims__(2, 1, 1) neighbours(int* out) {
  __shared__ int mine;
  cg::cluster_group cluster = cg::this_cluster();
  if (threadIdx.x == 0) mine = blockIdx.x;
  cluster.sync();
  if (threadIdx.x == 0) {
    const int* theirs = cluster.map_shared_rank(&mine, cluster.block_rank() ^ 1);
    out[blockIdx.x] = *theirs;
  }
  cluster.sync();
}

int main() {
  int* out;
  cudaMalloc(&out, 64 * sizeof(int));
  neighbours<<<4, 64>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
  return 0;
}
