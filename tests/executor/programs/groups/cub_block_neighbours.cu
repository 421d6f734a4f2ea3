// cub::BlockDiscontinuity, BlockAdjacentDifference, BlockShuffle and BlockHistogram.
#include <cub/block/block_shuffle.cuh>
#include <cub/cub.cuh>

#include "expect.hpp"

constexpr int n_threads = 48, n_items = 3, n_tile = n_threads * n_items;

struct Differs {
  __device__ bool operator()(int a, int b) const { return a != b; }
};
struct MinusOfReferences {
  template <class T>
  __device__ T operator()(T& a, T& b) const { return a - b; }
};
struct Minus {
  __device__ int operator()(int a, int b) const { return a - b; }
};

__device__ void load_items(const int* in, int (&items)[n_items]) {
  for (int i = 0; i < n_items; ++i) items[i] = in[threadIdx.x * n_items + i];
}
__device__ void store_items(int* out, const int (&items)[n_items]) {
  for (int i = 0; i < n_items; ++i) out[threadIdx.x * n_items + i] = items[i];
}

__global__ void flags(const int* in, int* heads, int* tails) {
  using Discontinuity = cub::BlockDiscontinuity<int, n_threads>;
  __shared__ Discontinuity::TempStorage storage;
  int items[n_items], head[n_items], tail[n_items];
  load_items(in, items);
  Discontinuity(storage).FlagHeads(head, items, Differs());
  __syncthreads();
  Discontinuity(storage).FlagTails(tail, items, Differs(), in[n_tile - 1]);
  store_items(heads, head);
  store_items(tails, tail);
  __syncthreads();
  Discontinuity(storage).FlagHeadsAndTails(head, tail, items, Differs());
  for (int i = 0; i < n_items; ++i)
    if (head[i] != heads[threadIdx.x * n_items + i]) heads[0] = -1;
}

__global__ void differences(const int* in, int* left, int* right, int n_valid) {
  using Difference = cub::BlockAdjacentDifference<int, n_threads>;
  __shared__ Difference::TempStorage storage;
  int items[n_items], result[n_items];
  load_items(in, items);
  Difference(storage).SubtractLeft(items, result, MinusOfReferences(), 100);
  store_items(left, result);
  __syncthreads();
  Difference(storage).SubtractRightPartialTile(items, items, Minus(), n_valid);
  store_items(right, items);
}

__global__ void shuffles(int* out) {
  using Shuffle = cub::BlockShuffle<int, n_threads>;
  __shared__ Shuffle::TempStorage storage;
  const int rank = static_cast<int>(threadIdx.x);
  int moved = -1, rotated = -1, suffix = -1;
  Shuffle(storage).Offset(rank, moved, 2);
  bool right = moved == (rank + 2 < n_threads ? rank + 2 : -1);
  __syncthreads();
  Shuffle(storage).Rotate(rank, rotated, 5);
  right &= rotated == (rank + 5) % n_threads;
  __syncthreads();
  int items[n_items], shifted[n_items];
  for (int i = 0; i < n_items; ++i) items[i] = rank * n_items + i;
  shifted[0] = 0;
  Shuffle(storage).Up(items, shifted, suffix);
  for (int i = 0; i < n_items; ++i) right &= rank + i == 0 || shifted[i] == items[i] - 1;
  right &= suffix == n_tile - 1;
  __syncthreads();
  shifted[n_items - 1] = n_tile;
  Shuffle(storage).Down(items, shifted);
  for (int i = 0; i < n_items; ++i) right &= rank * n_items + i == n_tile - 1 || shifted[i] == items[i] + 1;
  out[rank] = right ? 1 : 0;
}

template <cub::BlockHistogramAlgorithm algorithm>
__global__ void histogram(const unsigned char* in, int* out) {
  using Histogram = cub::BlockHistogram<unsigned char, n_threads, n_items, 64, algorithm>;
  __shared__ typename Histogram::TempStorage storage;
  __shared__ unsigned int bins[64];
  unsigned char items[n_items];
  for (int i = 0; i < n_items; ++i) items[i] = in[threadIdx.x * n_items + i];
  Histogram(storage).Histogram(items, bins);
  __syncthreads();
  Histogram(storage).Composite(items, bins);
  __syncthreads();
  for (int bin = static_cast<int>(threadIdx.x); bin < 64; bin += n_threads) out[bin] = static_cast<int>(bins[bin]);
}

int main() {
  std::vector<int> in(n_tile), heads(n_tile), tails(n_tile), left(n_tile), right(n_tile);
  for (int i = 0; i < n_tile; ++i) in[i] = i * i / 50;
  constexpr int n_valid = 100;
  for (int i = 0; i < n_tile; ++i) {
    heads[i] = i == 0 || in[i] != in[i - 1];
    tails[i] = i + 1 < n_tile && in[i] != in[i + 1];
    left[i] = in[i] - (i == 0 ? 100 : in[i - 1]);
    right[i] = i + 1 < n_valid ? in[i] - in[i + 1] : in[i];
  }
  DeviceArray<int> device_in(in), device_heads(n_tile), device_tails(n_tile), device_left(n_tile), device_right(n_tile);
  flags<<<1, n_threads>>>(device_in.get(), device_heads.get(), device_tails.get());
  expect_equal(device_heads.values(), heads, "head flags");
  expect_equal(device_tails.values(), tails, "tail flags");
  differences<<<1, n_threads>>>(device_in.get(), device_left.get(), device_right.get(), n_valid);
  expect_equal(device_left.values(), left, "differences to the left");
  expect_equal(device_right.values(), right, "differences to the right");

  DeviceArray<int> shuffled(n_threads);
  shuffles<<<1, n_threads>>>(shuffled.get());
  expect_equal(shuffled.values(), std::vector<int>(n_threads, 1), "shuffles of a block");

  std::vector<unsigned char> samples(n_tile);
  std::vector<int> counts(64);
  for (int i = 0; i < n_tile; ++i) samples[i] = static_cast<unsigned char>(i * i % 64), counts[samples[i]] += 2;
  DeviceArray<unsigned char> device_samples(samples);
  DeviceArray<int> by_atomics(64), by_sorting(64);
  histogram<cub::BLOCK_HISTO_ATOMIC><<<1, n_threads>>>(device_samples.get(), by_atomics.get());
  expect_equal(by_atomics.values(), counts, "a histogram by atomics");
  histogram<cub::BLOCK_HISTO_SORT><<<1, n_threads>>>(device_samples.get(), by_sorting.get());
  expect_equal(by_sorting.values(), counts, "a histogram by sorting");
  return report();
}
