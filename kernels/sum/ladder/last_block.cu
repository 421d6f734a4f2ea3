// last_block: grid_stride in one launch. The block that finishes last adds the blocks' sums in index order.
// Bound by DRAM: every byte is read once. Small inputs are bound by one launch and two memory round trips.
#include "library/core/cuda/launch.cuh"
#include "library/core/stream/scratch.hpp"
#include "sum/cuda/sum_tiles.cuh"
#include "sum/sum_rung.hpp"

namespace rafter::sum_ladder::RAFTER_BACKEND {

struct LastBlockScratch {
  double* partial;   // [n_blocks]
  unsigned* ticket;  // [1], zero before and after
};

template <class T>
__global__ void __launch_bounds__(SumPolicy::threads)
    sum_last_block(const T* in, std::int64_t n, LastBlockScratch scratch, T* out) {
  constexpr int threads = SumPolicy::threads;
  __shared__ core::BlockSumStorage<double, threads> storage;
  __shared__ bool is_last;
  const int t = static_cast<int>(threadIdx.x);
  const int n_blocks = static_cast<int>(gridDim.x);

  const core::Accumulator<T> mine = core::thread_sum<threads, SumPolicy::vectors>(in, n, t, blockIdx.x, n_blocks);
  const double block_total = core::block_sum(static_cast<double>(mine), storage);
  if (t == 0) {
    scratch.partial[blockIdx.x] = block_total;
    is_last = core::take_last_ticket(scratch.ticket, gridDim.x);
  }
  __syncthreads();  // orders is_last, and frees storage: block_sum's reads are complete
  if (!is_last) return;

  double total = 0;
  for (int i = t; i < n_blocks; i += threads) total += __ldcg(&scratch.partial[i]);
  total = core::block_sum(total, storage);
  if (t == 0) *out = core::round_to<T>(total);
}

extern const SumRung last_block{[]<Float T>(const Stream& stream, SumArgs<T> args) {
  const std::int64_t n = std::ssize(args.in);
  const int n_blocks = n_sum_blocks<T>(stream, n);
  const LastBlockScratch scratch = {
      .partial = reinterpret_cast<double*>(core::scratch(stream, n_blocks * std::int64_t{sizeof(double)})),
      .ticket = core::tickets(stream),
  };
  core::launch(sum_last_block<T>, n_blocks, SumPolicy::threads, 0, stream, args.in.data(), n, scratch, args.out);
}};

}  // namespace rafter::sum_ladder::RAFTER_BACKEND
