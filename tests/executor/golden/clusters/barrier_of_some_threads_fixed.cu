// expect: clean
// One warp of one block waits for something else and never comes to the barrier of the cluster.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void __cluster_dims__(2, 1, 1) some(int* out) {
  cg::cluster_group cluster = cg::this_cluster();
  cluster.sync();  // all
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
