// coalesced_group: ranks, shuffles and votes among the lanes of a branch; partitions by predicate and label.
#include <cooperative_groups.h>

#include "expect.hpp"

namespace cg = cooperative_groups;

__global__ void odd_lanes(int* out) {
  out[threadIdx.x] = -1;
  if (threadIdx.x % 2 == 1) {
    const cg::coalesced_group group = cg::coalesced_threads();
    const unsigned rank = group.thread_rank();
    bool right = group.size() == 16 && group.num_threads() == 16 && rank == threadIdx.x % 32 / 2;
    const int mine = static_cast<int>(threadIdx.x);
    const int first = mine / 32 * 32;
    right &= group.shfl(mine, 3) == first + 7;
    right &= group.shfl_up(mine, 2) == (rank < 2 ? mine : mine - 4);
    right &= group.shfl_down(mine, 2) == (rank >= 14 ? mine : mine + 4);
    right &= group.ballot(rank < 4) == 15u && group.any(rank == 15) && group.all(mine > 0);
    right &= group.match_any(rank / 4) == 15u << rank / 4 * 4;
    group.sync();
    const auto halves = cg::tiled_partition(group, 8);
    right &= halves.size() == 8 && halves.thread_rank() == rank % 8 && halves.meta_group_rank() == rank / 8;
    out[threadIdx.x] = right ? 1 : 0;
  }
}

// The common warp-aggregated atomic.
__global__ void aggregated_count(const int* values, int n, int* count) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n && values[i] % 3 == 0) {
    const auto active = cg::coalesced_threads();
    if (active.thread_rank() == 0) atomicAdd(count, static_cast<int>(active.size()));
  }
}

__global__ void partitions(int* out) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const int lane = static_cast<int>(warp.thread_rank());
  const auto low = cg::binary_partition(warp, lane < 10);
  bool right = low.size() == (lane < 10 ? 10u : 22u) && low.meta_group_size() == 2;
  right &= low.thread_rank() == static_cast<unsigned>(lane < 10 ? lane : lane - 10);
  const auto label = cg::labeled_partition(warp, lane % 5);
  right &= label.size() == (lane % 5 < 2 ? 7u : 6u) && label.thread_rank() == static_cast<unsigned>(lane / 5);
  right &= label.meta_group_size() == 5 && label.meta_group_rank() == static_cast<unsigned>(lane % 5);
  right &= label.shfl(lane, 1) == lane % 5 + 5;
  int calls = 0;
  cg::invoke_one(label, [&] { calls = 1; });
  const auto callers = warp.ballot(calls);
  right &= __popc(callers) == 5;
  right &= cg::invoke_one_broadcast(label, [&] { return lane % 5 * 11; }) == lane % 5 * 11;
  out[lane] = right ? 1 : 0;
}

int main() {
  DeviceArray<int> out(64);
  odd_lanes<<<1, 64>>>(out.get());
  std::vector<int> expected(64);
  for (int i = 0; i < 64; ++i) expected[i] = i % 2 == 1 ? 1 : -1;
  expect_equal(out.values(), expected, "lanes of a branch");

  std::vector<int> values(1000);
  for (int i = 0; i < 1000; ++i) values[i] = i * 7;
  DeviceArray<int> device_values(values), count(1);
  aggregated_count<<<8, 128>>>(device_values.get(), 1000, count.get());
  expect_equal(count.values(), std::vector<int>{334}, "an aggregated atomic");

  DeviceArray<int> split(32);
  partitions<<<1, 32>>>(split.get());
  expect_equal(split.values(), std::vector<int>(32, 1), "partitions");
  return report();
}
