// thread_block, thread_group and grid_group: ranks, sizes and barriers in three dimensions.
#include <cooperative_groups.h>

#include "expect.hpp"

namespace cg = cooperative_groups;

__device__ int sum_through(cg::thread_group group, int* scratch, int value) {
  const int rank = static_cast<int>(group.thread_rank());
  for (int step = static_cast<int>(group.size()) / 2; step > 0; step /= 2) {
    scratch[rank] = value;
    group.sync();
    if (rank < step) value += scratch[rank + step];
    group.sync();
  }
  return value;
}

__global__ void block_ranks(int* out) {
  __shared__ int scratch[64];
  cg::thread_block block = cg::this_thread_block();
  const dim3 at = block.thread_index(), in = block.group_index(), of = block.dim_threads();
  const unsigned linear = (at.z * of.y + at.y) * of.x + at.x;
  const bool right = block.thread_rank() == linear && block.size() == 64 && block.num_threads() == 64 &&
                     block.group_dim().y == 4 && in.x == blockIdx.x;
  const int sum = sum_through(block, scratch, right ? 1 : 0);
  const int tile_sum = sum_through(cg::tiled_partition(block, 16), scratch + block.thread_rank() / 16 * 16, 1);
  cg::sync(block);
  if (cg::thread_rank(block) == 0) out[blockIdx.x] = sum + tile_sum * 1000;
}

__global__ void split_arrival(int* out) {
  __shared__ int shared[64];
  auto block = cg::this_thread_block();
  shared[block.thread_rank()] = static_cast<int>(block.thread_rank());
  auto token = block.barrier_arrive();
  const int base = 100;
  block.barrier_wait(static_cast<decltype(token)&&>(token));
  out[block.thread_rank()] = base + shared[63 - block.thread_rank()];
}

__global__ void rotate_twice(int* a, int* b) {
  cg::grid_group grid = cg::this_grid();
  const auto rank = grid.thread_rank(), n = grid.size();
  b[(rank + 1) % n] = a[rank];
  grid.sync();
  a[(rank + 1) % n] = b[rank];
  if (grid.is_valid() && rank == 0 && grid.num_blocks() == 4 && grid.num_threads() == n && grid.group_dim().x == 4)
    a[n] = static_cast<int>(grid.block_rank()) + 7;
}

int main() {
  DeviceArray<int> out(3);
  block_ranks<<<3, dim3(8, 4, 2)>>>(out.get());
  expect_equal(out.values(), std::vector<int>(3, 16064), "ranks and sums of a 3-D block");

  DeviceArray<int> arrived(64);
  split_arrival<<<1, 64>>>(arrived.get());
  std::vector<int> reversed(64);
  for (int i = 0; i < 64; ++i) reversed[i] = 100 + 63 - i;
  expect_equal(arrived.values(), reversed, "arrive and wait");

  std::vector<int> values(257);
  for (int i = 0; i < 257; ++i) values[i] = i;
  DeviceArray<int> a(values), b(257);
  int *a_pointer = a.get(), *b_pointer = b.get();
  void* arguments[] = {&a_pointer, &b_pointer};
  expect(cudaLaunchCooperativeKernel((void*)rotate_twice, dim3(4), dim3(64), arguments, 0, 0) == cudaSuccess, "launch");
  std::vector<int> rotated(257);
  for (int i = 0; i < 256; ++i) rotated[(i + 2) % 256] = i;
  rotated[256] = 7;
  expect_equal(a.values(), rotated, "a grid-wide barrier");
  return report();
}
