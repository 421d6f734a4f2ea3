// published: last_block with a trip to memory less. Blocks publish their sums, and one of them waits for all.
// Bound by DRAM: every byte is read once; small inputs by one launch, one trip to memory and one to the L2.
//
//   who        when                          does
//   thread 0   first of all                  takes a ticket, which is on its way while the elements are
//   all        -                             add up the block's elements
//   thread 0   the block's sum is known      publishes it: one store, relaxed
//   all        in the block that was last    wait for the sums of all blocks, a thread each; set them back to zero, add
//              to take a ticket              them up in index order
//
// Why it does not race: core/tile_state.cuh. A state is written by its block, then by the one thread that has seen it.
// Why it does not deadlock: when the last ticket is taken, all blocks have started, and no other block waits for
// anybody.
#include "library/core/cuda/launch.cuh"
#include "library/core/cuda/tile_state.cuh"
#include "library/core/cuda/tuned.cuh"
#include "sum/cuda/sum_tiles.cuh"
#include "sum/sum_rung.hpp"
#include "sum/sum_tunables.hpp"

namespace rafter::sum_ladder::RAFTER_BACKEND {

/// Zero before and after, all of it.
struct PublishedSums {
  unsigned* ticket;         // [1]
  core::TileState* states;  // [n_blocks]
};

template <class T>
__global__ void __launch_bounds__(SumPolicy::threads)
    sum_published(const T* in, std::int64_t n, PublishedSums sums, T* out) {
  constexpr int threads = SumPolicy::threads;
  __shared__ core::BlockSumStorage<double, threads> storage;
  __shared__ bool is_last;
  const int t = static_cast<int>(threadIdx.x);
  const int n_blocks = static_cast<int>(gridDim.x);

  unsigned ticket = 0;
  if (t == 0) ticket = atomicAdd(sums.ticket, 1u);
  const core::Accumulator<T> mine = core::thread_sum<threads, SumPolicy::vectors>(in, n, t, blockIdx.x, n_blocks);
  const double block_total = core::block_sum(static_cast<double>(mine), storage);
  if (t == 0) {
    core::publish(&sums.states[blockIdx.x], block_total);
    is_last = ticket == gridDim.x - 1;
    if (is_last) *sums.ticket = 0;
  }
  __syncthreads();  // everyone knows whether this is the last block; storage is free again
  if (!is_last) return;

  double total = 0;
  for (int i = t; i < n_blocks; i += threads) {
    total += core::wait_for_sum<double>(&sums.states[i]);
    ptx::store_relaxed(&sums.states[i], {0, 0});
  }
  total = core::block_sum(total, storage);
  if (t == 0) *out = core::round_to<T>(total);
}

extern const SumRung published{[]<class T>(const Stream& stream, SumArgs<T> args) {
  const std::int64_t n = std::ssize(args.in);
  constexpr int words_of_state = sizeof(core::TileState) / sizeof(unsigned);
  constexpr int most_blocks = Stream::n_tickets / words_of_state - 1;
  unsigned* const words = stream.tickets();
  const PublishedSums sums = {words, reinterpret_cast<core::TileState*>(words + words_of_state)};
  const int n_blocks = std::min(n_sum_blocks<T>(stream, n, core::tuned(blocks_per_sm)), most_blocks);
  core::launch(sum_published<T>, n_blocks, SumPolicy::threads, 0, stream, args.in.data(), n, sums, args.out);
}};

}  // namespace rafter::sum_ladder::RAFTER_BACKEND
