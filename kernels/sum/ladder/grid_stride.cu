// grid_stride: as many blocks as the GPU holds at once; each thread strides over the array with 16-byte loads.
// Four vectors in flight per thread reach the memory roof. A second launch adds the blocks' sums; it takes as long as
// the whole sum of a small input.
#include <algorithm>

#include "library/core/cuda/launch.cuh"
#include "library/core/stream/scratch.hpp"
#include "sum/cuda/sum_tiles.cuh"
#include "sum/sum_rung.hpp"

namespace rafter::sum_ladder::RAFTER_BACKEND {

template <class T>
__global__ void __launch_bounds__(SumPolicy::threads) sum_grid_stride(const T* in, std::int64_t n, double* partial) {
  __shared__ core::BlockSumStorage<double, SumPolicy::threads> storage;
  const int t = static_cast<int>(threadIdx.x);
  const core::Accumulator<T> mine =
      core::thread_sum<SumPolicy::threads, SumPolicy::vectors>(in, n, t, blockIdx.x, gridDim.x);
  const double total = core::block_sum(static_cast<double>(mine), storage);
  if (t == 0) partial[blockIdx.x] = total;
}

template <class T>
__global__ void __launch_bounds__(SumPolicy::threads) sum_partials(const double* partial, int n, T* out) {
  __shared__ core::BlockSumStorage<double, SumPolicy::threads> storage;
  double mine = 0;
  for (int i = static_cast<int>(threadIdx.x); i < n; i += SumPolicy::threads) mine += partial[i];
  const double total = core::block_sum(mine, storage);
  if (threadIdx.x == 0) *out = core::round_to<T>(total);
}

extern const SumRung grid_stride{[]<Float T>(const Stream& stream, SumArgs<T> args) {
  const std::int64_t n = std::ssize(args.in);
  const int n_blocks = n_sum_blocks<T>(stream, n);
  auto* partial = reinterpret_cast<double*>(core::scratch(stream, n_blocks * std::int64_t{sizeof(double)}));
  core::launch(sum_grid_stride<T>, n_blocks, SumPolicy::threads, 0, stream, args.in.data(), n, partial);
  core::launch(sum_partials<T>, 1, SumPolicy::threads, 0, stream, partial, n_blocks, args.out);
}};

}  // namespace rafter::sum_ladder::RAFTER_BACKEND
