// expect: race kernel=count line=14 other=14 space=shared
// Blocks of a cluster add to a counter in their first block without atomics.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void __cluster_dims__(4, 1, 1) count(int* out) {
  __shared__ int sum;
  cg::cluster_group cluster = cg::this_cluster();
  if (cluster.thread_rank() == 0) sum = 0;
  cluster.sync();
  if (threadIdx.x == 0) {
    int* first = cluster.map_shared_rank(&sum, 0);
    *first += 1;
  }
  cluster.sync();
  if (cluster.thread_rank() == 0) out[blockIdx.x / 4] = sum;
}

int main() {
  int* out;
  cudaMalloc(&out, 64 * sizeof(int));
  count<<<8, 32>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
  return 0;
}
