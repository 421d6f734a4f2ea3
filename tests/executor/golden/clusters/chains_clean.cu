// expect: clean
// A happens-before chain through a cluster barrier, to another cluster by a flag, and on to another block.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void __cluster_dims__(2, 1, 1) chain(int* data, int* flag, int* out) {
  cg::cluster_group cluster = cg::this_cluster();
  const int first = blockIdx.x / 2;  // the cluster's index
  if (first == 0) {
    data[blockIdx.x * 32 + threadIdx.x] = threadIdx.x;
    cluster.sync();
    if (cluster.thread_rank() == 0) {  // reads what both blocks wrote
      __threadfence();
      atomicExch(flag, 1);
    }
  } else {
    if (cluster.thread_rank() == 0) {
      while (atomicAdd(flag, 0) == 0) {
      }
      __threadfence();
    }
    cluster.sync();  // orders both blocks after what the first thread read
    out[(blockIdx.x - 2) * 32 + threadIdx.x] = data[(blockIdx.x - 2) * 32 + 31 - threadIdx.x];
  }
}

// Without clusters in the launch each block is a cluster of one, with a cluster barrier.
__global__ void alone(int* out) {
  __shared__ int tile[64];
  cg::cluster_group cluster = cg::this_cluster();
  tile[threadIdx.x] = threadIdx.x;
  cluster.sync();
  if (blockIdx.x == 0) out[threadIdx.x] = tile[63 - threadIdx.x] + *cluster.map_shared_rank(&tile[threadIdx.x], 0);
}

int main() {
  int *data, *flag, *out;
  cudaMalloc(&data, 64 * sizeof(int));
  cudaMalloc(&flag, sizeof(int));
  cudaMalloc(&out, 64 * sizeof(int));
  cudaMemset(flag, 0, sizeof(int));
  chain<<<4, 32>>>(data, flag, out);
  alone<<<2, 64>>>(out);
  const cudaError_t error = cudaDeviceSynchronize();
  cudaFree(data);
  cudaFree(flag);
  cudaFree(out);
  return error;
}
