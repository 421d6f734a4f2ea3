// three_kernels: counts the kept elements of each tile, scans the counts, and writes each tile at its offset.
// The order is preserved. Bound by DRAM: the array is read twice.
#include "filter/cuda/filter_satisfies.cuh"
#include "filter/filter_rung.hpp"
#include "library/core/cuda/launch.cuh"
#include "library/core/cuda/scan.cuh"
#include "library/core/stream/scratch.hpp"

namespace rafter::filter_ladder::RAFTER_BACKEND {

inline constexpr int kernels_threads = 256;
inline constexpr int kernels_rows = 8;  // elements per thread, 256 apart
inline constexpr int kernels_tile = kernels_threads * kernels_rows;
inline constexpr int running_threads = 1024;

template <class T>
__global__ void __launch_bounds__(kernels_threads)
    count_tiles(std::span<const T> in, Range<T> range, unsigned long long* counts) {
  __shared__ core::BlockSumStorage<int, kernels_threads> storage;
  const std::int64_t first = blockIdx.x * std::int64_t{kernels_tile} + threadIdx.x;
  int mine = 0;
#pragma unroll
  for (int row = 0; row < kernels_rows; ++row) {
    const std::int64_t i = first + row * kernels_threads;
    if (i < static_cast<std::int64_t>(in.size())) mine += satisfies(range, in.data()[i]) ? 1 : 0;
  }
  const int total = core::block_sum(mine, storage);
  if (threadIdx.x == 0) counts[blockIdx.x] = static_cast<unsigned long long>(total);
}

/// The exclusive scan of counts[0, n) in place, by one block; `count` gets the sum of all.
__global__ void __launch_bounds__(running_threads)
    running_counts(unsigned long long* counts, std::int64_t n, unsigned long long* count) {
  __shared__ core::BlockSumStorage<unsigned long long, running_threads> storage;
  unsigned long long carried = 0;
  for (std::int64_t first = 0; first < n; first += running_threads) {
    const std::int64_t mine = first + threadIdx.x;
    const auto running = core::block_running_sum(mine < n ? counts[mine] : 0ull, storage);
    if (mine < n) counts[mine] = carried + running.before;
    carried += running.total;
    __syncthreads();  // all threads have read storage before the next iteration writes it
  }
  if (threadIdx.x == 0) *count = carried;
}

template <class T>
__global__ void __launch_bounds__(kernels_threads)
    write_tiles(std::span<const T> in, Range<T> range, const unsigned long long* counts, std::span<T> out) {
  __shared__ core::BlockSumStorage<int, kernels_threads> storage;
  unsigned long long place = counts[blockIdx.x];
  for (int row = 0; row < kernels_rows; ++row) {
    const std::int64_t i = blockIdx.x * std::int64_t{kernels_tile} + row * kernels_threads + threadIdx.x;
    const bool in_range = i < static_cast<std::int64_t>(in.size());
    const T x = in_range ? in.data()[i] : T{0};
    const bool kept = in_range && satisfies(range, x);
    const auto running = core::block_running_sum(kept ? 1 : 0, storage);
    const unsigned long long mine = place + static_cast<unsigned>(running.before);
    if (kept && mine < out.size()) out.data()[mine] = x;
    place += static_cast<unsigned>(running.total);
    __syncthreads();  // all threads have read storage before the next iteration writes it
  }
}

extern const FilterRung three_kernels{[]<class T>(const Stream& stream, FilterArgs<T> args) {
  const std::int64_t n_tiles = ceil_div(std::ssize(args.in), kernels_tile);
  auto* counts = reinterpret_cast<unsigned long long*>(core::scratch(stream, n_tiles * 8));
  const Range<T> range = range_of(args.keep);
  core::launch(count_tiles<T>, n_tiles, kernels_threads, 0, stream, args.in, range, counts);
  core::launch(running_counts, 1, running_threads, 0, stream, counts, n_tiles,
               reinterpret_cast<unsigned long long*>(args.count));
  core::launch(write_tiles<T>, n_tiles, kernels_threads, 0, stream, args.in, range, counts, args.out);
}};

}  // namespace rafter::filter_ladder::RAFTER_BACKEND
