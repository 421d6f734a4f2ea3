// The report of a launch: bad indices are counted per thread, added up per block, and the block that finishes last
// writes the result. Where nothing is bad it costs a block one barrier and one atomic.
#pragma once

#include "gather/cuda/gather_bounds.cuh"
#include "library/core/cuda/reduce.cuh"

namespace rafter::gather_ladder::RAFTER_BACKEND {

/// What is known to be bad; a position i is kept as n - i, so that zeros mean "none" and the first is the largest.
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

/// The tickets of a stream as the words of a report.
inline ReportArgs report_args(const Stream& stream, BadIndices* bad) {
  auto* total = reinterpret_cast<BadTally*>(stream.tickets());
  return {bad, total, reinterpret_cast<unsigned*>(total + 1)};
}

/// All lanes of a warp call; lane 0 gets the tally of all.
inline __device__ BadTally warp_tally(BadTally mine) {
#pragma unroll
  for (int distance = core::warp_size / 2; distance > 0; distance /= 2) {
    mine.count += __shfl_down_sync(core::full_warp, mine.count, distance);
    const unsigned long long other = __shfl_down_sync(core::full_warp, mine.from_end, distance);
    if (other > mine.from_end) mine.from_end = other;
  }
  return mine;
}

/// Ends a kernel: the first thread of each block calls with what its block found, of `n` indices.
inline __device__ void publish_report(const BadTally& block, std::int64_t n, const ReportArgs& args) {
  if (block.count > 0) {
    args.total->add_atomically(block);
    __threadfence();  // before our ticket; a block that found nothing has nothing to show
  }
  if (atomicAdd(args.ticket, 1u) != gridDim.x - 1) return;
  __threadfence();  // all tickets are seen before the total is read
  *args.ticket = 0;
  const unsigned long long count = atomicExch(&args.total->count, 0ull);
  const unsigned long long from_end = atomicExch(&args.total->from_end, 0ull);
  *args.bad = {static_cast<std::int64_t>(count), count > 0 ? n - static_cast<std::int64_t>(from_end) : -1};
}

/// Ends a kernel: all threads of all blocks call with what they found, of `n` indices.
inline __device__ void finish_report(const BadTally& mine, BadTally& block, std::int64_t n, const ReportArgs& args) {
  if (threadIdx.x == 0) block = {0, 0};
  if (__syncthreads_or(mine.count > 0 ? 1 : 0) != 0) {  // `block` is zero before anyone adds to it
    const BadTally warp = warp_tally(mine);
    if (threadIdx.x % core::warp_size == 0 && warp.count > 0) block.add_atomically(warp);
    __syncthreads();  // all warps are in `block`
  }
  if (threadIdx.x == 0) publish_report(block, n, args);
}

}  // namespace rafter::gather_ladder::RAFTER_BACKEND
