// cub::WarpReduce, WarpScan, WarpExchange, WarpLoad, WarpStore and WarpMergeSort, with logical widths.
#include <cub/cub.cuh>

#include "expect.hpp"

struct Largest {
  __device__ int operator()(int a, int b) const { return a < b ? b : a; }
};
struct Plus {
  __device__ int operator()(int a, int b) const { return a + b; }
};
struct Less {
  __device__ bool operator()(int a, int b) const { return a < b; }
};

template <int width>
__device__ bool reduces_right() {
  using Reduce = cub::WarpReduce<int, width>;
  __shared__ typename Reduce::TempStorage storage[64 / width];
  const int warp = static_cast<int>(threadIdx.x) / width, lane = static_cast<int>(threadIdx.x) % width;
  bool right = true;
  const int sum = Reduce(storage[warp]).Sum(lane + 1);
  __syncwarp();
  const int largest = Reduce(storage[warp]).Reduce(lane * 7 % 5, Largest(), 3);
  __syncwarp();
  const int segment = Reduce(storage[warp]).HeadSegmentedSum(1, lane % 4 == 0);
  __syncwarp();
  const int tail_segment = Reduce(storage[warp]).TailSegmentedReduce(lane, lane % 4 == 3, Largest());
  __syncwarp();
  if (lane == 0) right = sum == width * (width + 1) / 2 && largest == (width > 2 ? 4 : 2);
  if (lane % 4 == 0) right &= segment == (width < 4 ? width : 4) && tail_segment == lane + (width < 4 ? width : 4) - 1;
  return right;
}

template <int width>
__device__ bool scans_right() {
  using Scan = cub::WarpScan<int, width>;
  __shared__ typename Scan::TempStorage storage[64 / width];
  const int warp = static_cast<int>(threadIdx.x) / width, lane = static_cast<int>(threadIdx.x) % width;
  int inclusive, exclusive, aggregate, with_start;
  Scan(storage[warp]).InclusiveSum(lane + 1, inclusive);
  __syncwarp();
  Scan(storage[warp]).ExclusiveSum(lane + 1, exclusive, aggregate);
  __syncwarp();
  bool right = inclusive == (lane + 1) * (lane + 2) / 2 && exclusive == lane * (lane + 1) / 2;
  right &= aggregate == width * (width + 1) / 2;
  Scan(storage[warp]).ExclusiveScan(lane, with_start, 3, Largest());
  __syncwarp();
  right &= with_start == (lane - 1 > 3 ? lane - 1 : 3);
  Scan(storage[warp]).Scan(lane, inclusive, exclusive, 10, Plus());
  __syncwarp();
  right &= inclusive == 10 + lane * (lane + 1) / 2 && exclusive == inclusive - lane;
  right &= Scan(storage[warp]).Broadcast(lane * 3, 1) == 3;
  __syncwarp();
  return right;
}

__global__ void reduce_and_scan(int* out) {
  bool right = reduces_right<32>() && scans_right<32>();
  right &= reduces_right<8>() && scans_right<8>();
  right &= reduces_right<4>() && scans_right<2>();
  out[threadIdx.x] = right ? 1 : 0;
}

template <cub::WarpLoadAlgorithm load, cub::WarpStoreAlgorithm store>
__global__ void sort_warps(const int* in, int* out) {
  constexpr int width = 16, n_items = 4, n_warps = 4;
  using Load = cub::WarpLoad<int, n_items, load, width>;
  using Store = cub::WarpStore<int, n_items, store, width>;
  using Sort = cub::WarpMergeSort<int, n_items, width>;
  using Exchange = cub::WarpExchange<int, n_items, width>;
  __shared__ typename Load::TempStorage load_storage[n_warps];
  __shared__ typename Store::TempStorage store_storage[n_warps];
  __shared__ typename Sort::TempStorage sort_storage[n_warps];
  __shared__ typename Exchange::TempStorage exchange_storage[n_warps];
  const int warp = static_cast<int>(threadIdx.x) / width;
  int items[n_items];
  Load(load_storage[warp]).Load(in + warp * width * n_items, items, width * n_items);
  Sort(sort_storage[warp]).Sort(items, Less());
  if (store == cub::WARP_STORE_STRIPED) Exchange(exchange_storage[warp]).BlockedToStriped(items, items);
  Store(store_storage[warp]).Store(out + warp * width * n_items, items);
}

int main() {
  DeviceArray<int> out(64);
  reduce_and_scan<<<1, 64>>>(out.get());
  expect_equal(out.values(), std::vector<int>(64, 1), "reductions and scans of warps");

  std::vector<int> in(256), sorted(256);
  for (int i = 0; i < 256; ++i) in[i] = i / 64 * 1000 + i * 37 % 64;
  for (int i = 0; i < 256; ++i) sorted[i] = i / 64 * 1000 + i % 64;
  DeviceArray<int> device_in(in), direct(256), striped(256), transposed(256);
  sort_warps<cub::WARP_LOAD_DIRECT, cub::WARP_STORE_VECTORIZE><<<1, 64>>>(device_in.get(), direct.get());
  expect_equal(direct.values(), sorted, "sorted warps, direct");
  sort_warps<cub::WARP_LOAD_STRIPED, cub::WARP_STORE_STRIPED><<<1, 64>>>(device_in.get(), striped.get());
  expect_equal(striped.values(), sorted, "sorted warps, striped");
  sort_warps<cub::WARP_LOAD_TRANSPOSE, cub::WARP_STORE_TRANSPOSE><<<1, 64>>>(device_in.get(), transposed.get());
  expect_equal(transposed.values(), sorted, "sorted warps, transposed");
  return report();
}
