// reduce, inclusive_scan, exclusive_scan and memcpy_async of cooperative groups.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include "expect.hpp"

namespace cg = cooperative_groups;

struct Pair {
  int low, high;
};
struct Spread {
  __device__ Pair operator()(const Pair& a, const Pair& b) const {
    return {a.low < b.low ? a.low : b.low, a.high > b.high ? a.high : b.high};
  }
};

template <class Group>
__device__ bool reduces_right(const Group& group) {
  const int n = static_cast<int>(group.size()), rank = static_cast<int>(group.thread_rank());
  bool right = cg::reduce(group, rank + 1, cg::plus<int>()) == n * (n + 1) / 2;
  right &= cg::reduce(group, rank - 3, cg::less<int>()) == -3;
  right &= cg::reduce(group, rank * 2u, cg::greater<unsigned>()) == 2u * (n - 1);
  right &= cg::reduce(group, 1u << rank % 32, cg::bit_or<unsigned>()) == (n == 32 ? ~0u : (1u << n % 32) - 1);
  right &= cg::reduce(group, 6u | 1u << rank % 2, cg::bit_and<unsigned>()) == 6u;
  right &= cg::reduce(group, 5, cg::bit_xor<int>()) == (n % 2 == 0 ? 0 : 5);
  right &= cg::reduce(group, 0.5f, cg::plus<float>()) == 0.5f * n;
  right &= cg::reduce(group, 0.25, cg::plus<double>()) == 0.25 * n;
  const Pair spread = cg::reduce(group, Pair{rank, rank * 3}, Spread());
  return right && spread.low == 0 && spread.high == (n - 1) * 3;
}

template <class Group>
__device__ bool scans_right(const Group& group) {
  const int rank = static_cast<int>(group.thread_rank());
  bool right = cg::inclusive_scan(group, rank + 1) == (rank + 1) * (rank + 2) / 2;
  right &= cg::exclusive_scan(group, rank + 1) == rank * (rank + 1) / 2;
  right &= cg::inclusive_scan(group, (rank * 5) % 7, cg::greater<int>()) >= (rank * 5) % 7;
  right &= cg::exclusive_scan(group, rank, cg::greater<int>()) == (rank == 0 ? 0 : rank - 1);
  return right;
}

__global__ void reductions(int* out) {
  const auto block = cg::this_thread_block();
  bool right = true;
  const auto warp = cg::tiled_partition<32>(block);
  right &= reduces_right(warp) && scans_right(warp);
  const auto eight = cg::tiled_partition<8>(block);
  right &= reduces_right(eight) && scans_right(eight);
  if (threadIdx.x % 3 == 0) {
    const auto some = cg::coalesced_threads();
    right &= reduces_right(some) && scans_right(some);
  }
  out[threadIdx.x] = right ? 1 : 0;
}

__global__ void copy_in(const float* in, const char* text, float* out, int n) {
  __shared__ float tile[256];
  __shared__ char letters[37];
  const auto block = cg::this_thread_block();
  cg::memcpy_async(block, tile, in, sizeof(float) * n);
  cg::memcpy_async(block, letters, 37, text, 40);
  cg::wait(block);
  for (int i = static_cast<int>(block.thread_rank()); i < n; i += static_cast<int>(block.size()))
    out[i] = tile[n - 1 - i] + static_cast<float>(letters[i % 37]);
  block.sync();
  cg::memcpy_async(block, tile, in + 1, sizeof(float) * 3);
  cg::wait_prior<0>(block);
  if (block.thread_rank() == 0) out[n] = tile[2];
}

int main() {
  DeviceArray<int> out(64);
  reductions<<<1, 64>>>(out.get());
  expect_equal(out.values(), std::vector<int>(64, 1), "reductions and scans of groups");

  std::vector<float> in(200), expected(201);
  std::vector<char> text(40);
  for (int i = 0; i < 200; ++i) in[i] = static_cast<float>(i);
  for (int i = 0; i < 40; ++i) text[i] = static_cast<char>(i);
  for (int i = 0; i < 200; ++i) expected[i] = static_cast<float>(199 - i + i % 37);
  expected[200] = 3;
  DeviceArray<float> device_in(in), copied(201);
  DeviceArray<char> device_text(text);
  copy_in<<<1, 96>>>(device_in.get(), device_text.get(), copied.get(), 200);
  expect_equal(copied.values(), expected, "memcpy_async");
  return report();
}
