// thread_block_tile of every size: shuffles of small and large values, votes, matches, nesting.
#include <cooperative_groups.h>

#include "expect.hpp"

namespace cg = cooperative_groups;

struct Large {
  double a;
  int b[4];
};

template <unsigned n>
__device__ bool shuffles_right(const cg::thread_block_tile<n>& tile) {
  const int rank = static_cast<int>(tile.thread_rank()), size = static_cast<int>(tile.size());
  const int base = static_cast<int>(cg::this_thread_block().thread_rank()) - rank;
  const int mine = base + rank;
  bool right = tile.shfl(mine, size - 1) == base + size - 1;
  right &= tile.shfl_up(mine, 1) == (rank == 0 ? mine : mine - 1);
  right &= tile.shfl_down(mine, 1) == (rank == size - 1 ? mine : mine + 1);
  right &= tile.shfl_xor(mine, size / 2) == base + (rank ^ (size / 2));
  const Large moved = tile.shfl(Large{mine * 0.5, {mine, 1, 2, mine * 3}}, 0);
  right &= moved.a == base * 0.5 && moved.b[0] == base && moved.b[3] == base * 3;
  right &= tile.shfl(static_cast<char>(rank), 0) == 0;
  return right;
}

template <unsigned n>
__device__ bool votes_right(const cg::thread_block_tile<n>& tile) {
  const unsigned rank = tile.thread_rank();
  const unsigned all = n == 32 ? ~0u : (1u << n % 32) - 1;
  int equal = 0;
  bool right = tile.ballot(rank % 2 == 0) == (0x55555555u & all);
  right &= tile.any(rank == n - 1) && !tile.any(rank == n) && tile.all(rank < n) && (n == 1 || !tile.all(rank == 0));
  right &= tile.match_any(rank / 2) == (3u << rank / 2 * 2 & all);
  right &= tile.match_all(5, equal) == all && equal == 1;
  return right;
}

template <unsigned n>
__device__ bool tile_right() {
  const auto block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<n>(block);
  bool right = tile.thread_rank() == block.thread_rank() % n && tile.num_threads() == n;
  right &= tile.meta_group_rank() == block.thread_rank() / n && tile.meta_group_size() == block.size() / n;
  tile.sync();
  right &= shuffles_right<n>(tile);
  right &= votes_right<n>(tile);
  return right;
}

__global__ void all_sizes(int* out) {
  bool right = tile_right<1>() && tile_right<2>() && tile_right<4>();
  right &= tile_right<8>();
  right &= tile_right<16>();
  right &= tile_right<32>();
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const auto quarter = cg::tiled_partition<8>(warp);
  right &= quarter.meta_group_rank() == warp.thread_rank() / 8 && quarter.meta_group_size() == 4;
  right &= quarter.shfl(static_cast<int>(warp.thread_rank()), 3) == static_cast<int>(warp.thread_rank() / 8 * 8 + 3);
  out[cg::this_thread_block().thread_rank()] = right ? 1 : 0;
}

// Tiles that diverge, each with its own collectives.
__global__ void diverging_tiles(int* out) {
  const auto tile = cg::tiled_partition<4>(cg::this_thread_block());
  int sum = static_cast<int>(tile.thread_rank()) + 1;
  if (tile.meta_group_rank() % 2 == 0)
    for (int step = 2; step > 0; step /= 2) sum += tile.shfl_down(sum, step);
  out[threadIdx.x] = tile.thread_rank() == 0 ? sum : 0;
}

int main() {
  DeviceArray<int> out(128);
  all_sizes<<<1, dim3(16, 8)>>>(out.get());
  expect_equal(out.values(), std::vector<int>(128, 1), "tiles of every size");

  DeviceArray<int> sums(64);
  diverging_tiles<<<1, 64>>>(sums.get());
  std::vector<int> expected(64);
  for (int i = 0; i < 64; i += 4) expected[i] = i / 4 % 2 == 0 ? 10 : 1;
  expect_equal(sums.values(), expected, "tiles that diverge");
  return report();
}
