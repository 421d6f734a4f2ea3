// expect: arrival_count kernel=turns line=10
// A thread arrives at the cluster barrier twice without a wait in between.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void __cluster_dims__(2, 1, 1) turns(int* out) {
  cg::cluster_group cluster = cg::this_cluster();
  cluster.barrier_arrive();
  cluster.barrier_arrive();  // the second arrival
  cluster.barrier_wait();
  if (threadIdx.x == 0) out[blockIdx.x] = 1;
}

int main() {
  int* out;
  cudaMalloc(&out, 64 * sizeof(int));
  turns<<<2, 32>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
  return 0;
}
