// CUB's block collectives: load, scan, store, reduce, radix sort and exchange.
#include <cub/block/block_exchange.cuh>
#include <cub/block/block_load.cuh>
#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/block/block_store.cuh>

#include <algorithm>
#include <cstdio>
#include <vector>

struct Max {
  __host__ __device__ int operator()(int a, int b) const { return a > b ? a : b; }
};

template <int BLOCK_THREADS, int ITEMS>
__global__ void scan_tiles(const int* in, int* out, int* totals, int n) {
  using BlockLoad = cub::BlockLoad<int, BLOCK_THREADS, ITEMS, cub::BLOCK_LOAD_TRANSPOSE>;
  using BlockStore = cub::BlockStore<int, BLOCK_THREADS, ITEMS, cub::BLOCK_STORE_TRANSPOSE>;
  using BlockScan = cub::BlockScan<int, BLOCK_THREADS>;
  __shared__ union {
    typename BlockLoad::TempStorage load;
    typename BlockStore::TempStorage store;
    typename BlockScan::TempStorage scan;
  } temp;

  const int base = blockIdx.x * BLOCK_THREADS * ITEMS;
  const int valid = min(n - base, BLOCK_THREADS * ITEMS);
  int items[ITEMS];
  BlockLoad(temp.load).Load(in + base, items, valid, 0);
  __syncthreads();
  int total;
  BlockScan(temp.scan).ExclusiveSum(items, items, total);
  __syncthreads();
  BlockStore(temp.store).Store(out + base, items, valid);
  if (threadIdx.x == 0) totals[blockIdx.x] = total;
}

template <int BLOCK_THREADS>
__global__ void reduce_tiles(const int* in, int n, int* sums, int* maxima) {
  typedef cub::BlockReduce<int, BLOCK_THREADS> BlockReduce;
  __shared__ typename BlockReduce::TempStorage temp_storage;
  int i = blockIdx.x * BLOCK_THREADS + threadIdx.x;
  int v = i < n ? in[i] : -1000000;
  int sum = BlockReduce(temp_storage).Sum(i < n ? v : 0);
  __syncthreads();
  int best = BlockReduce(temp_storage).Reduce(v, Max());
  if (threadIdx.x == 0) {
    sums[blockIdx.x] = sum;
    maxima[blockIdx.x] = best;
  }
}

template <int BLOCK_THREADS, int ITEMS>
__global__ void sort_tiles(const int* in, int* out) {
  using Sort = cub::BlockRadixSort<int, BLOCK_THREADS, ITEMS>;
  using Exchange = cub::BlockExchange<int, BLOCK_THREADS, ITEMS>;
  __shared__ typename Sort::TempStorage sort_storage;
  __shared__ typename Exchange::TempStorage exchange_storage;
  const int base = blockIdx.x * BLOCK_THREADS * ITEMS;
  int keys[ITEMS];
  cub::LoadDirectBlocked(threadIdx.x, in + base, keys);
  Sort(sort_storage).Sort(keys);
  Exchange(exchange_storage).BlockedToStriped(keys, keys);
  cub::StoreDirectStriped<BLOCK_THREADS>(threadIdx.x, out + base, keys);
}

int main() {
  constexpr int T = 64, I = 4, tile = T * I;
  const int n = 5 * tile - 33, blocks = 5;
  std::vector<int> h(5 * tile), got(5 * tile), sums(24), maxima(24), totals(blocks);
  for (size_t i = 0; i < h.size(); ++i) h[i] = int(i * 7919 % 2003) - 1000;

  int *in, *out, *small;
  cudaMalloc(&in, h.size() * sizeof(int));
  cudaMalloc(&out, h.size() * sizeof(int));
  cudaMalloc(&small, 64 * sizeof(int));
  cudaMemcpy(in, h.data(), h.size() * sizeof(int), cudaMemcpyHostToDevice);

  int bad = 0;
  scan_tiles<T, I><<<blocks, T>>>(in, out, small, n);
  cudaMemcpy(got.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost);
  cudaMemcpy(totals.data(), small, blocks * sizeof(int), cudaMemcpyDeviceToHost);
  for (int b = 0; b < blocks; ++b) {
    int sum = 0;
    for (int i = b * tile; i < std::min(n, (b + 1) * tile); ++i) {
      bad += got[i] != sum;
      sum += h[i];
    }
    bad += totals[b] != sum;
  }

  const int rblocks = (n + T - 1) / T;
  reduce_tiles<T><<<rblocks, T>>>(in, n, small, small + 32);
  cudaMemcpy(sums.data(), small, rblocks * sizeof(int), cudaMemcpyDeviceToHost);
  cudaMemcpy(maxima.data(), small + 32, rblocks * sizeof(int), cudaMemcpyDeviceToHost);
  for (int b = 0; b < rblocks; ++b) {
    int sum = 0, best = -1000000;
    for (int i = b * T; i < std::min(n, (b + 1) * T); ++i) sum += h[i], best = std::max(best, h[i]);
    bad += sums[b] != sum || maxima[b] != best;
  }

  sort_tiles<T, I><<<blocks, T>>>(in, out);
  cudaMemcpy(got.data(), out, got.size() * sizeof(int), cudaMemcpyDeviceToHost);
  for (int b = 0; b < blocks; ++b) std::sort(h.begin() + b * tile, h.begin() + (b + 1) * tile);
  bad += got != h;
  cudaFree(in);
  cudaFree(out);
  cudaFree(small);
  std::printf("cub_block: %d bad\n", bad);
  return bad != 0 || cudaGetLastError() != cudaSuccess;
}
