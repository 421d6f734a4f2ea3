// cub::BlockLoad, BlockStore and BlockExchange: every algorithm yields its documented arrangement.
#include <cub/cub.cuh>

#include "expect.hpp"

constexpr int n_threads = 64, n_items = 4, n_tile = n_threads * n_items;

template <cub::BlockLoadAlgorithm load, cub::BlockStoreAlgorithm store>
__global__ void copy_tile(const int* in, int* out, int* seen, int n_valid) {
  using Load = cub::BlockLoad<int, 32, n_items, load, 2>;
  using Store = cub::BlockStore<int, 32, n_items, store, 2>;
  __shared__ union {
    typename Load::TempStorage for_load;
    typename Store::TempStorage for_store;
  } storage;
  const int rank = static_cast<int>(threadIdx.y * 32 + threadIdx.x);
  int items[n_items];
  if (n_valid == n_tile)
    Load(storage.for_load).Load(in, items);
  else
    Load(storage.for_load).Load(in, items, n_valid, -1);
  for (int i = 0; i < n_items; ++i) seen[rank * n_items + i] = items[i];
  __syncthreads();
  if (n_valid == n_tile)
    Store(storage.for_store).Store(out, items);
  else
    Store(storage.for_store).Store(out, items, n_valid);
}

template <cub::BlockLoadAlgorithm load, cub::BlockStoreAlgorithm store>
void check_copy(const char* what) {
  std::vector<int> in(n_tile);
  for (int i = 0; i < n_tile; ++i) in[i] = i * 3 + 1;
  const DeviceArray<int> device_in(in);
  for (int n_valid : {n_tile, 77, 1}) {
    std::vector<int> seen(n_tile), stored(n_tile);
    for (int rank = 0; rank < n_threads; ++rank)
      for (int i = 0; i < n_items; ++i) {
        const int at = load == cub::BLOCK_LOAD_STRIPED ? i * n_threads + rank : rank * n_items + i;
        seen[rank * n_items + i] = at < n_valid ? in[at] : -1;
      }
    for (int i = 0; i < n_valid; ++i) stored[i] = in[i];
    DeviceArray<int> out(n_tile), device_seen(n_tile);
    copy_tile<load, store><<<1, dim3(32, 2)>>>(device_in.get(), out.get(), device_seen.get(), n_valid);
    expect_equal(device_seen.values(), seen, what);
    expect_equal(out.values(), stored, what);
  }
}

__global__ void exchange(int* out) {
  using Exchange = cub::BlockExchange<int, n_threads, n_items>;
  __shared__ Exchange::TempStorage storage;
  const int rank = static_cast<int>(threadIdx.x);
  bool right = true;
  int items[n_items], ranks[n_items], flags[n_items];
  for (int i = 0; i < n_items; ++i) items[i] = rank * n_items + i;
  Exchange(storage).BlockedToStriped(items);
  for (int i = 0; i < n_items; ++i) right &= items[i] == i * n_threads + rank;
  __syncthreads();
  Exchange(storage).StripedToBlocked(items, items);
  for (int i = 0; i < n_items; ++i) right &= items[i] == rank * n_items + i;
  __syncthreads();
  Exchange(storage).BlockedToWarpStriped(items);
  for (int i = 0; i < n_items; ++i) right &= items[i] == rank / 32 * 128 + i * 32 + rank % 32;
  __syncthreads();
  Exchange(storage).WarpStripedToBlocked(items);
  for (int i = 0; i < n_items; ++i) right &= items[i] == rank * n_items + i;
  __syncthreads();
  for (int i = 0; i < n_items; ++i) ranks[i] = n_tile - 1 - items[i];
  Exchange(storage).ScatterToBlocked(items, ranks);
  for (int i = 0; i < n_items; ++i) right &= items[i] == n_tile - 1 - (rank * n_items + i);
  __syncthreads();
  for (int i = 0; i < n_items; ++i) ranks[i] = items[i];
  Exchange(storage).ScatterToStriped(items, ranks);
  for (int i = 0; i < n_items; ++i) right &= items[i] == i * n_threads + rank;
  __syncthreads();
  for (int i = 0; i < n_items; ++i) {
    flags[i] = items[i] % 2 == 0;
    ranks[i] = items[i] / 2;
  }
  int chosen[n_items];
  Exchange(storage).ScatterToStripedFlagged(items, chosen, ranks, flags);
  for (int i = 0; i < n_items / 2; ++i) right &= chosen[i] == 2 * (i * n_threads + rank);
  out[rank] = right ? 1 : 0;
}

__global__ void direct(const int* in, int* out) {
  int items[2];
  cub::LoadDirectStriped<32>(static_cast<int>(threadIdx.x), in, items, 50, 9);
  cub::StoreDirectBlocked(static_cast<int>(threadIdx.x), out, items);
}

int main() {
  check_copy<cub::BLOCK_LOAD_DIRECT, cub::BLOCK_STORE_DIRECT>("direct");
  check_copy<cub::BLOCK_LOAD_STRIPED, cub::BLOCK_STORE_STRIPED>("striped");
  check_copy<cub::BLOCK_LOAD_VECTORIZE, cub::BLOCK_STORE_VECTORIZE>("vectorized");
  check_copy<cub::BLOCK_LOAD_TRANSPOSE, cub::BLOCK_STORE_TRANSPOSE>("transposed");
  check_copy<cub::BLOCK_LOAD_WARP_TRANSPOSE, cub::BLOCK_STORE_WARP_TRANSPOSE>("transposed by warps");
  check_copy<cub::BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED, cub::BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED>("time-sliced");

  DeviceArray<int> out(n_threads);
  exchange<<<1, n_threads>>>(out.get());
  expect_equal(out.values(), std::vector<int>(n_threads, 1), "exchanges");

  std::vector<int> in(64), expected(64);
  for (int i = 0; i < 64; ++i) in[i] = i;
  for (int i = 0; i < 32; ++i) expected[2 * i] = i, expected[2 * i + 1] = i + 32 < 50 ? i + 32 : 9;
  DeviceArray<int> device_in(in), rearranged(64);
  direct<<<1, 32>>>(device_in.get(), rearranged.get());
  expect_equal(rearranged.values(), expected, "direct functions");
  return report();
}
