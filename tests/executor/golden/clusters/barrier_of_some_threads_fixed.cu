// expect: clean
// All threads reach the cluster barrier.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void __cluster_dims__(2, 1, 1) some(int* out) {
  cg::cluster_group cluster = cg::this_cluster();
  cluster.sync();  // all threads
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
