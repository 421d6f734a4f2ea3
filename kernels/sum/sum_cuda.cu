// published: out = sum of in[0, n), one launch. Blocks publish their sums; the block with the last ticket collects
// them. A small array is summed by one block or by the blocks of one cluster, which meet in shared memory.
// Bound by DRAM: every byte is read once. Small inputs are bound by one launch, one DRAM round trip and one L2 round
// trip.
//
//   threads          when                         action
//   thread 0         first                        takes a ticket; the atomic's latency overlaps the elements' loads
//   all              -                            add up the block's elements
//   thread 0         the block's sum is known     publishes it with one relaxed store
//   all threads of   after their barrier          wait for the blocks' sums, thread t for blocks t, t + threads, ...;
//   the last block                                reset the states to zero; add the sums in index order
//
// No race: the block writes its own state, then the one thread that has read the flag resets it
// (core/cuda/look_back.cuh).
// No deadlock: when the last ticket is taken every block has started, and only the last block waits.
#include "library/core/cuda/launch.cuh"
#include "library/core/cuda/look_back.cuh"
#include "library/core/cuda/policy.cuh"
#include "library/core/stream/scratch.hpp"
#include "library/ptx/cluster.cuh"
#include "sum/cuda/sum_tiles.cuh"
#include "sum/sum_rung.hpp"
#include "sum/sum_tunables.hpp"

namespace rafter::sum_ladder::RAFTER_BACKEND {

/// The scratch of one sum. All words are zero before and after the kernel.
struct PublishedSums {
  unsigned* ticket;         // [1]
  core::TileState* states;  // [n_blocks]
};

template <class T, class Result, class Total>
__device__ Result rounded_sum(Total total) {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<Result>(total);
  } else {
    return core::round_to<T>(total);
  }
}

/// Elements are added in Sum, the sums of threads in Total.
template <class T, class Sum, class Total, class Result>
__global__ void __launch_bounds__(SumPolicy::threads)
    sum_published(const T* in, std::int64_t n, PublishedSums sums, Result* out) {
  constexpr int threads = SumPolicy::threads;
  __shared__ core::BlockSumStorage<Total, threads> storage;
  // storage is used twice: the __syncthreads() before the early return separates the two block_sum calls.
  __shared__ bool is_last;
  const int t = static_cast<int>(threadIdx.x);
  const int n_blocks = static_cast<int>(gridDim.x);

  unsigned ticket = 0;
  if (t == 0 && n_blocks > 1) ticket = atomicAdd(sums.ticket, 1u);
  const Sum mine = core::thread_sum<threads, SumPolicy::vectors, T, Sum>(in, n, t, blockIdx.x, n_blocks);
  const Total block_total = core::block_sum(static_cast<Total>(mine), storage);
  if (n_blocks == 1) {  // nothing to publish: two round trips to the L2 less
    if (t == 0) *out = rounded_sum<T, Result>(block_total);
    return;
  }
  if (t == 0) {
    core::publish(&sums.states[blockIdx.x], block_total);
    is_last = ticket == gridDim.x - 1;
    if (is_last) *sums.ticket = 0;
  }
  __syncthreads();  // orders is_last, and frees storage: block_sum's reads are complete
  if (!is_last) return;

  Total total = 0;
  for (int i = t; i < n_blocks; i += threads) {
    total += core::wait_for_sum<Total>(&sums.states[i]);
    ptx::store_relaxed(&sums.states[i], {0, 0});
  }
  total = core::block_sum(total, storage);
  if (t == 0) *out = rounded_sum<T, Result>(total);
}

constexpr int cluster_blocks = 8;  // the most that every GPU with clusters takes

/// Adds up an array in one cluster: blocks store their sums in the shared memory of block 0, which adds them in index
/// order. Neither tickets nor a round trip to the L2.
template <class T, class Sum, class Total, class Result>
__global__ void __launch_bounds__(SumPolicy::threads) sum_in_cluster(const T* in, std::int64_t n, Result* out) {
  constexpr int threads = SumPolicy::threads;
  __shared__ core::BlockSumStorage<Total, threads> storage;
  __shared__ Total totals[cluster_blocks];  // of the blocks, in block 0
  const int t = static_cast<int>(threadIdx.x);
  const unsigned rank = blockIdx.x;  // the grid is one cluster

  ptx::cluster_arrive_relaxed();  // completes while the elements arrive
  const Sum mine = core::thread_sum<threads, SumPolicy::vectors, T, Sum>(in, n, t, rank, gridDim.x);
  const Total block_total = core::block_sum(static_cast<Total>(mine), storage);
  ptx::cluster_wait();  // block 0 has started: its shared memory may be accessed
  if (t == 0) ptx::RemoteShared<Total>(&totals[rank], 0).store(block_total);
  ptx::cluster_sync();  // all sums are in block 0
  if (rank != 0 || t != 0) return;
  Total total = totals[0];
  for (unsigned i = 1; i < gridDim.x; ++i) total += totals[i];
  *out = rounded_sum<T, Result>(total);
}

extern const SumRung published{[]<class T>(const Stream& stream, SumArgs<T> args) {
  const std::int64_t n = std::ssize(args.in);
  constexpr int words_of_state = sizeof(core::TileState) / sizeof(unsigned);
  constexpr int most_blocks = core::n_tickets / words_of_state - 1;
  unsigned* const words = core::tickets(stream);
  const PublishedSums sums = {words, reinterpret_cast<core::TileState*>(words + words_of_state)};
  const int n_blocks = std::min(n_sum_blocks<T>(stream, n, core::tuned(blocks_per_sm)), most_blocks);
  using Total = SumTotal<T>;
  using Sum = std::conditional_t<std::is_integral_v<T>, Total, core::Accumulator<T>>;
  if (n_blocks > 1 && n_blocks <= core::tuned(blocks_in_cluster)) {
    const int n_ranks = std::min(n_blocks, cluster_blocks);
    return core::launch_clusters(sum_in_cluster<T, Sum, Total, SumResult<T>>, n_ranks, n_ranks, SumPolicy::threads, 0,
                                 stream, args.in.data(), n, args.out);
  }
  core::launch(sum_published<T, Sum, Total, SumResult<T>>, n_blocks, SumPolicy::threads, 0, stream, args.in.data(), n,
               sums, args.out);
}};

}  // namespace rafter::sum_ladder::RAFTER_BACKEND
