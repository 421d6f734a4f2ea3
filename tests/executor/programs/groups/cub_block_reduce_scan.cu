// cub::BlockReduce and cub::BlockScan: shapes, algorithms, items per thread, partial blocks, prefixes.
#include <cub/cub.cuh>

#include "expect.hpp"

struct Largest {
  template <class T>
  __host__ __device__ T operator()(const T& a, const T& b) const {
    return a < b ? b : a;
  }
};

// A non-commutative operator: composition of x -> a * x + b, modulo 2^32.
struct Affine {
  unsigned a, b;
};
struct Compose {
  __host__ __device__ Affine operator()(const Affine& f, const Affine& g) const { return {f.a * g.a, f.b * g.a + g.b}; }
};

template <cub::BlockReduceAlgorithm algorithm>
__global__ void reduce_3d(const int* in, int* out) {
  using BlockReduce = cub::BlockReduce<int, 8, algorithm, 4, 3>;
  __shared__ typename BlockReduce::TempStorage storage;
  const int rank = static_cast<int>((threadIdx.z * 4 + threadIdx.y) * 8 + threadIdx.x);
  const int sum = BlockReduce(storage).Sum(in[rank]);
  __syncthreads();
  const int largest = BlockReduce(storage).Reduce(in[rank], Largest());
  __syncthreads();
  int pair[2] = {in[rank], 1};
  const int items = BlockReduce(storage).Sum(pair);
  __syncthreads();
  const int some = BlockReduce(storage).Reduce(in[rank], Largest(), 41);
  __syncthreads();
  const int few = BlockReduce(storage).Sum(in[rank], 5);
  if (rank == 0) {
    out[0] = sum, out[1] = largest, out[2] = items, out[3] = some, out[4] = few;
  }
}

__global__ void compose_all(unsigned* out) {
  using BlockReduce = cub::BlockReduce<Affine, 128, cub::BLOCK_REDUCE_RAKING>;
  __shared__ BlockReduce::TempStorage storage;
  const Affine mine{threadIdx.x * 2 + 1, threadIdx.x};
  const Affine all = BlockReduce(storage).Reduce(mine, Compose());
  if (threadIdx.x == 0) out[0] = all.a, out[1] = all.b;
}

struct RunningTotal {
  int total;
  __device__ int operator()(int aggregate) {
    const int before = total;
    total += aggregate;
    return before;
  }
};

template <cub::BlockScanAlgorithm algorithm>
__global__ void scan_tiles(const int* in, int* out, int n) {
  using BlockScan = cub::BlockScan<int, 64, algorithm>;
  __shared__ typename BlockScan::TempStorage storage;
  RunningTotal running{1000};
  for (int tile = 0; tile < n; tile += 128) {
    int items[2];
    for (int i = 0; i < 2; ++i) items[i] = in[tile + threadIdx.x * 2 + i];
    BlockScan(storage).ExclusiveSum(items, items, running);
    __syncthreads();
    for (int i = 0; i < 2; ++i) out[tile + threadIdx.x * 2 + i] = items[i];
  }
}

__global__ void scan_variants(const int* in, int* out) {
  using BlockScan = cub::BlockScan<int, 16, cub::BLOCK_SCAN_RAKING, 5>;
  __shared__ BlockScan::TempStorage storage;
  const int rank = static_cast<int>(threadIdx.y * 16 + threadIdx.x);
  int results[8], aggregate = 0, largest = 0;
  BlockScan(storage).InclusiveSum(in[rank], results[0]);
  __syncthreads();
  BlockScan(storage).ExclusiveSum(in[rank], results[1], aggregate);
  __syncthreads();
  BlockScan(storage).InclusiveScan(in[rank], results[2], Largest());
  __syncthreads();
  BlockScan(storage).ExclusiveScan(in[rank], results[3], -5, Largest(), largest);
  __syncthreads();
  RunningTotal running{7};
  BlockScan(storage).InclusiveSum(in[rank], results[4], running);
  __syncthreads();
  int items[3] = {in[rank], 1, 2}, scanned[3];
  BlockScan(storage).InclusiveSum(items, scanned);
  results[5] = scanned[2];
  __syncthreads();
  BlockScan(storage).ExclusiveScan(items, scanned, 10, Largest());
  results[6] = scanned[0];
  results[7] = aggregate * 1000 + largest;
  for (int i = 0; i < 8; ++i) out[i * 80 + rank] = results[i];
}

void check_reductions() {
  std::vector<int> in(96);
  int sum = 0, largest = 0, some = 0, few = 0;
  for (int i = 0; i < 96; ++i) {
    in[i] = i * 37 % 101;
    sum += in[i];
    largest = std::max(largest, in[i]);
    if (i < 41) some = std::max(some, in[i]);
    if (i < 5) few += in[i];
  }
  DeviceArray<int> device_in(in);
  const std::vector<int> expected{sum, largest, sum + 96, some, few};
  DeviceArray<int> raking(5), warps(5), commutative(5);
  reduce_3d<cub::BLOCK_REDUCE_RAKING><<<1, dim3(8, 4, 3)>>>(device_in.get(), raking.get());
  expect_equal(raking.values(), expected, "BlockReduce, raking");
  reduce_3d<cub::BLOCK_REDUCE_WARP_REDUCTIONS><<<1, dim3(8, 4, 3)>>>(device_in.get(), warps.get());
  expect_equal(warps.values(), expected, "BlockReduce, warp reductions");
  reduce_3d<cub::BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY><<<1, dim3(8, 4, 3)>>>(device_in.get(), commutative.get());
  expect_equal(commutative.values(), expected, "BlockReduce, commutative raking");

  Affine all{1, 0};
  for (unsigned i = 0; i < 128; ++i) all = Compose()(all, Affine{i * 2 + 1, i});
  DeviceArray<unsigned> composed(2);
  compose_all<<<1, 128>>>(composed.get());
  expect_equal(composed.values(), std::vector<unsigned>{all.a, all.b}, "BlockReduce keeps the order");
}

void check_scans() {
  std::vector<int> in(384), expected(384);
  int sum = 1000;
  for (int i = 0; i < 384; ++i) {
    in[i] = i * 13 % 17;
    expected[i] = sum;
    sum += in[i];
  }
  DeviceArray<int> device_in(in), out(384), warps(384);
  scan_tiles<cub::BLOCK_SCAN_RAKING><<<1, 64>>>(device_in.get(), out.get(), 384);
  expect_equal(out.values(), expected, "BlockScan over tiles");
  scan_tiles<cub::BLOCK_SCAN_WARP_SCANS><<<1, 64>>>(device_in.get(), warps.get(), 384);
  expect_equal(warps.values(), expected, "BlockScan over tiles, warp scans");

  std::vector<int> variants(8 * 80);
  int total = 0, largest = 0;
  for (int i = 0; i < 80; ++i) {
    variants[80 + i] = total;
    variants[240 + i] = i == 0 ? -5 : largest;
    variants[480 + i] = i == 0 ? 10 : std::max(10, largest);
    total += in[i];
    largest = std::max(largest, in[i]);
    variants[i] = total;
    variants[160 + i] = largest;
    variants[320 + i] = total + 7;
    variants[400 + i] = total + 3 * (i + 1);
  }
  for (int i = 0; i < 80; ++i) variants[560 + i] = total * 1000 + largest;
  DeviceArray<int> device_variants(8 * 80);
  scan_variants<<<1, dim3(16, 5)>>>(device_in.get(), device_variants.get());
  expect_equal(device_variants.values(), variants, "BlockScan's variants");
}

int main() {
  check_reductions();
  check_scans();
  return report();
}
