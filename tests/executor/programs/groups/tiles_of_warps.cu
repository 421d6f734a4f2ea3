// thread_block_tile of more than 32 threads: barriers, broadcasts, votes, reductions, scans, of tiles inside each other.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include "expect.hpp"

namespace cg = cooperative_groups;

/// The function x -> a * x + b. The composition of functions is not commutative.
struct Line {
  unsigned a, b;
};
struct After {
  __device__ Line operator()(const Line& f, const Line& g) const { return {f.a * g.a, g.a * f.b + g.b}; }
};

template <unsigned n>
__device__ bool tile_right(const cg::thread_block& block) {
  const auto tile = cg::tiled_partition<n>(block);
  const unsigned rank = tile.thread_rank(), base = block.thread_rank() - rank;
  bool right = rank == block.thread_rank() % n && tile.num_threads() == n;
  right &= tile.meta_group_rank() == block.thread_rank() / n && tile.meta_group_size() == block.size() / n;
  __shared__ unsigned values[512];
  values[base + rank] = rank * rank;
  tile.sync();
  right &= values[base + (rank + 33) % n] == (rank + 33) % n * ((rank + 33) % n);
  tile.sync();
  right &= tile.shfl(base + rank, 40) == base + 40 && tile.shfl(base + rank, n - 1) == base + n - 1;
  right &= tile.any(rank == n - 1) && !tile.any(rank == n) && tile.all(rank < n) && !tile.all(rank > 0);
  right &= cg::reduce(tile, rank, cg::plus<unsigned>()) == n * (n - 1) / 2;
  right &= cg::reduce(tile, rank ^ 21u, cg::greater<unsigned>()) == n - 1;
  right &= cg::inclusive_scan(tile, rank + 1) == (rank + 1) * (rank + 2) / 2;
  right &= cg::exclusive_scan(tile, rank + 1) == rank * (rank + 1) / 2;
  Line expected{1, 0};
  for (unsigned i = 0; i <= rank; ++i) expected = After()(expected, {i | 1, i});
  const Line scanned = cg::inclusive_scan(tile, Line{rank | 1, rank}, After());
  right &= scanned.a == expected.a && scanned.b == expected.b;
  return right;
}

__global__ void all_sizes(int* out) {
  __shared__ cg::block_tile_memory<512> memory;
  const cg::thread_block block = cg::this_thread_block(memory);
  bool right = tile_right<64>(block);
  right &= tile_right<128>(block);
  right &= tile_right<256>(block);
  right &= tile_right<512>(block);
  out[block.thread_rank()] = right;
}

/// Tiles pass different numbers of barriers, and an inner tile waits while the rest of the outer one waits for it.
__global__ void at_their_own_pace(int* out) {
  const auto outer = cg::tiled_partition<128>(cg::this_thread_block());
  const auto inner = cg::tiled_partition<64>(cg::this_thread_block());
  __shared__ int sums[8];
  for (unsigned round = 0; round <= inner.meta_group_rank(); ++round) {
    const int sum = cg::reduce(inner, static_cast<int>(round), cg::plus<int>());
    if (inner.thread_rank() == 0) sums[inner.meta_group_rank()] = sum;
  }
  outer.sync();
  const unsigned other = inner.meta_group_rank() ^ 1;
  out[threadIdx.x] = sums[other] == static_cast<int>(64 * other);
}

int main() {
  int *out, host[512];
  cudaMalloc(&out, sizeof host);
  for (void (*kernel)(int*) : {all_sizes, at_their_own_pace}) {
    kernel<<<1, 512>>>(out);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 512; ++i) expect(host[i] == 1, "a tile");
  }
  cudaFree(out);
  return report();
}
