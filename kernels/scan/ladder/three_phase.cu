// three_phase: three launches: the sum of every tile, the running sums of those, and the running sums within every
// tile.
// All multiprocessors work, but the array is read twice: 12 bytes of memory traffic per float instead of 8.
#include "library/core/cuda/launch.cuh"
#include "library/core/cuda/scan.cuh"
#include "library/core/stream/scratch.hpp"
#include "scan/scan_rung.hpp"

namespace rafter::scan_ladder::RAFTER_BACKEND {

inline constexpr int phase_threads = 256;
inline constexpr int phase_per_thread = 8;
inline constexpr int phase_tile = phase_threads * phase_per_thread;
inline constexpr int sums_threads = 1024;

template <class T>
__global__ void __launch_bounds__(phase_threads) tile_sums(const T* in, std::int64_t n, Carry<T>* sums) {
  __shared__ core::BlockSumStorage<Carry<T>, phase_threads> storage;
  const std::int64_t first = blockIdx.x * std::int64_t{phase_tile} + threadIdx.x;
  Carry<T> mine = 0;
#pragma unroll
  for (int i = 0; i < phase_per_thread; ++i) {
    if (first + i * phase_threads < n) mine += static_cast<Carry<T>>(in[first + i * phase_threads]);
  }
  const Carry<T> total = core::block_sum(mine, storage);
  if (threadIdx.x == 0) sums[blockIdx.x] = total;
}

/// Replaces sums[i] by the sum of the elements before it; one block.
template <class Sum>
__global__ void __launch_bounds__(sums_threads) scan_sums(Sum* sums, std::int64_t n) {
  __shared__ core::BlockSumStorage<Sum, sums_threads> storage;
  Sum carried = 0;
  for (std::int64_t first = 0; first < n; first += sums_threads) {
    const std::int64_t mine = first + threadIdx.x;
    const auto running = core::block_running_sum(mine < n ? sums[mine] : Sum{0}, storage);
    if (mine < n) sums[mine] = carried + running.before;
    carried += running.total;
    __syncthreads();  // frees storage: block_running_sum's reads are complete
  }
}

template <class T>
__global__ void __launch_bounds__(phase_threads)
    scan_tiles(const T* in, std::int64_t n, ScanKind kind, const Carry<T>* sums, T* out) {
  __shared__ core::BlockSumStorage<Carry<T>, phase_threads> storage;
  Carry<T> carried = sums[blockIdx.x];
  for (int row = 0; row < phase_per_thread; ++row) {  // a row of the tile: one element per thread
    const std::int64_t at = blockIdx.x * std::int64_t{phase_tile} + row * phase_threads + threadIdx.x;
    const Carry<T> x = at < n ? static_cast<Carry<T>>(in[at]) : Carry<T>{0};
    const auto running = core::block_running_sum(x, storage);
    const Carry<T> before = carried + running.before;
    if (at < n) out[at] = static_cast<T>(kind == ScanKind::inclusive ? before + x : before);
    carried += running.total;
    __syncthreads();  // frees storage: block_running_sum's reads are complete
  }
}

extern const ScanRung three_phase{[]<class T>(const Stream& stream, ScanArgs<T> args) {
  const std::int64_t n = std::ssize(args.in);
  const std::int64_t n_tiles = ceil_div(n, phase_tile);
  auto* sums = reinterpret_cast<Carry<T>*>(core::scratch(stream, n_tiles * std::int64_t{sizeof(Carry<T>)}));
  if (n == 0) return;
  core::launch(tile_sums<T>, n_tiles, phase_threads, 0, stream, args.in.data(), n, sums);
  core::launch(scan_sums<Carry<T>>, 1, sums_threads, 0, stream, sums, n_tiles);
  core::launch(scan_tiles<T>, n_tiles, phase_threads, 0, stream, args.in.data(), n, args.kind, sums, args.out.data());
}};

}  // namespace rafter::scan_ladder::RAFTER_BACKEND
