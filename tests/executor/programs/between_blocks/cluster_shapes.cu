// Clusters of one, two and three dimensions: cluster queries, static shared memory of the other blocks, split barriers,
// and rejected launches.
#include <cooperative_groups.h>

#include <cstdio>
#include <vector>

namespace cg = cooperative_groups;

struct Seen {
  int rank, blocks, threads, of_left, token;
};

// Each block writes its position, and reads that of the preceding block.
__device__ void look_around(Seen* seen) {
  __shared__ int mine[4];
  __shared__ unsigned char bytes[3];
  cg::cluster_group cluster = cg::this_cluster();
  const dim3 at = cluster.block_index(), shape = cluster.dim_blocks();
  const unsigned rank = cluster.block_rank(), left = (rank + cluster.num_blocks() - 1) % cluster.num_blocks();
  const int block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  if (threadIdx.x == 0) {
    mine[rank % 4] = block;
    bytes[1] = static_cast<unsigned char>(rank);
  }
  auto token = cluster.barrier_arrive();
  int own = 0;  // independent work between arrive and wait
  for (unsigned i = 0; i < threadIdx.x; ++i) own += static_cast<int>(i);
  cluster.barrier_wait(std::move(token));
  if (threadIdx.x == 31) {
    const int* theirs = cluster.map_shared_rank(mine, left);
    const bool is_right = rank == at.x + shape.x * (at.y + shape.y * at.z) &&
                          cluster.query_shared_rank(theirs) == left && cluster.query_shared_rank(mine) == rank &&
                          *cluster.map_shared_rank(&bytes[1], left) == left && own == 31 * 30 / 2;
    seen[block] = {static_cast<int>(rank), static_cast<int>(cluster.num_blocks()),
                   is_right ? static_cast<int>(cluster.num_threads()) : -1, theirs[left % 4],
                   static_cast<int>(__clusterIdx().x)};
  }
  cluster.sync();
}

__global__ void __cluster_dims__(2, 2, 1) flat(Seen* seen) { look_around(seen); }

template <int N>
__global__ void __launch_bounds__(64) __cluster_dims__(N) row(Seen* seen) {
  look_around(seen);
}

__global__ void any(Seen* seen) { look_around(seen); }

static bool check(Seen* device, dim3 grid, dim3 cluster) {
  const unsigned n = grid.x * grid.y * grid.z, size = cluster.x * cluster.y * cluster.z;
  if (cudaDeviceSynchronize() != cudaSuccess) return false;
  std::vector<Seen> seen(n);
  cudaMemcpy(seen.data(), device, n * sizeof(Seen), cudaMemcpyDeviceToHost);
  for (unsigned block = 0; block < n; ++block) {
    const unsigned x = block % grid.x, y = block / grid.x % grid.y, z = block / grid.x / grid.y;
    const unsigned rank = x % cluster.x + cluster.x * (y % cluster.y + cluster.y * (z % cluster.z));
    const unsigned left = (rank + size - 1) % size;
    const unsigned lx = x / cluster.x * cluster.x + left % cluster.x;
    const unsigned ly = y / cluster.y * cluster.y + left / cluster.x % cluster.y;
    const unsigned lz = z / cluster.z * cluster.z + left / cluster.x / cluster.y;
    const Seen& s = seen[block];
    if (s.rank != static_cast<int>(rank) || s.blocks != static_cast<int>(size) ||
        s.threads != static_cast<int>(64 * size) || s.token != static_cast<int>(x / cluster.x) ||
        s.of_left != static_cast<int>((lz * grid.y + ly) * grid.x + lx)) {
      std::printf("block %u of a cluster of %u: WRONG\n", block, size);
      return false;
    }
  }
  return true;
}

static cudaError_t launch(Seen* seen, dim3 grid, dim3 cluster) {
  cudaLaunchAttribute attribute;
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim = {cluster.x, cluster.y, cluster.z};
  cudaLaunchConfig_t config{};
  config.gridDim = grid;
  config.blockDim = 64;
  config.attrs = &attribute;
  config.numAttrs = 1;
  return cudaLaunchKernelEx(&config, any, seen);
}

int main() {
  Seen* seen;
  cudaMalloc(&seen, 64 * sizeof(Seen));
  bool ok = true;
  flat<<<dim3(4, 2, 2), 64>>>(seen);
  ok = check(seen, dim3(4, 2, 2), dim3(2, 2, 1)) && ok;
  row<8><<<16, 64>>>(seen);
  ok = check(seen, 16, 8) && ok;
  row<1><<<3, 64>>>(seen);
  ok = check(seen, 3, 1) && ok;
  ok = launch(seen, dim3(2, 4, 6), dim3(1, 2, 3)) == cudaSuccess && check(seen, dim3(2, 4, 6), dim3(1, 2, 3)) && ok;
  any<<<3, 64>>>(seen);
  ok = check(seen, 3, 1) && ok;
  cudaFuncSetAttribute(any, cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
  ok = launch(seen, 32, 16) == cudaSuccess && check(seen, 32, 16) && ok;
  cudaFree(seen);
  std::printf("cluster_shapes: %s\n", ok ? "right" : "WRONG");
  return ok ? 0 : 1;
}
