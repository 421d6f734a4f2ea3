// The report of a launch. Bad indices are counted per thread and added up per block, and the block that finishes last
// writes the result. If no index is bad, it costs a block one barrier and one atomic.
#pragma once

#include "gather/cuda/gather_bounds.cuh"
#include "library/core/cuda/reduce.cuh"
#include "library/core/stream/scratch.hpp"

namespace rafter::gather_ladder::RAFTER_BACKEND {

/// The number of bad indices and the first of them. A position i is kept as n - i, so that zeros mean "none" and the
/// first position is the largest.
struct BadTally {
  unsigned long long count;
  unsigned long long from_end;

  __device__ void add(std::int64_t i, std::int64_t n) {
    const auto distance = static_cast<unsigned long long>(n - i);
    ++count;
    if (distance > from_end) from_end = distance;
  }

  __device__ void add_atomically(const BadTally& other) {
    atomicAdd(&count, other.count);
    atomicMax(&from_end, other.from_end);
  }
};

struct ReportArgs {
  BadIndices* bad;
  BadTally* total;   // [1], zero before and after
  unsigned* ticket;  // [1], zero before and after
};

/// Returns the report's counters, which are the first tickets of the stream.
inline ReportArgs report_args(const Stream& stream, BadIndices* bad) {
  auto* total = reinterpret_cast<BadTally*>(core::tickets(stream));
  return {bad, total, reinterpret_cast<unsigned*>(total + 1)};
}

/// Returns the tally of a warp in lane 0. Collective: all lanes of a warp.
inline __device__ BadTally warp_tally(BadTally mine) {
#pragma unroll
  for (int distance = core::warp_size / 2; distance > 0; distance /= 2) {
    mine.count += __shfl_down_sync(core::full_warp, mine.count, distance);
    const unsigned long long other = __shfl_down_sync(core::full_warp, mine.from_end, distance);
    if (other > mine.from_end) mine.from_end = other;
  }
  return mine;
}

/// Publishes the block's tally, of `n` indices; the last block writes the report. Called by the first thread of every
/// block, as the last thing in the kernel.
inline __device__ void publish_report(const BadTally& block, std::int64_t n, const ReportArgs& args) {
  if (block.count > 0) {
    args.total->add_atomically(block);
    __threadfence();  // our tally is visible before our ticket; a block that found nothing has nothing to publish
  }
  if (atomicAdd(args.ticket, 1u) != gridDim.x - 1) return;
  __threadfence();  // all tickets are visible before the total is read
  *args.ticket = 0;
  const unsigned long long count = atomicExch(&args.total->count, 0ull);
  const unsigned long long from_end = atomicExch(&args.total->from_end, 0ull);
  *args.bad = {static_cast<std::int64_t>(count), count > 0 ? n - static_cast<std::int64_t>(from_end) : -1};
}

/// Publishes the threads' tallies, of `n` indices, as the last thing in a kernel. Collective: all threads of the block.
inline __device__ void finish_report(const BadTally& mine, BadTally& block, std::int64_t n, const ReportArgs& args) {
  if (threadIdx.x == 0) block = {0, 0};
  if (__syncthreads_or(mine.count > 0 ? 1 : 0) != 0) {  // `block` is zero before any warp adds to it
    const BadTally warp = warp_tally(mine);
    if (threadIdx.x % core::warp_size == 0 && warp.count > 0) block.add_atomically(warp);
    __syncthreads();  // `block` has the tallies of all warps
  }
  if (threadIdx.x == 0) publish_report(block, n, args);
}

}  // namespace rafter::gather_ladder::RAFTER_BACKEND
