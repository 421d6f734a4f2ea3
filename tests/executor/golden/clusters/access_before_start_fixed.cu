// expect: clean
// A cluster barrier ensures that both blocks have started before one writes to the other's shared memory.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void __cluster_dims__(2, 1, 1) push(int* out) {
  __shared__ int from_neighbour;
  cg::cluster_group cluster = cg::this_cluster();
  cluster.sync();
  if (threadIdx.x == 0) {
    int* theirs = cluster.map_shared_rank(&from_neighbour, cluster.block_rank() ^ 1);
    *theirs = blockIdx.x;
  }
  cluster.sync();
  if (threadIdx.x == 0) out[blockIdx.x] = from_neighbour;
}

int main() {
  int* out;
  cudaMalloc(&out, 64 * sizeof(int));
  push<<<4, 64>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
  return 0;
}
