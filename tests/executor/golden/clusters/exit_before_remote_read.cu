// expect: exited_block kernel=neighbours line=14 space=shared
// A block exits while another block may still read its shared memory.
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
}

int main() {
  int* out;
  cudaMalloc(&out, 64 * sizeof(int));
  neighbours<<<4, 64>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
  return 0;
}
