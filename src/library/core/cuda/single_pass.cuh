// One pass over an array in tiles, for algorithms in which a tile needs the sum over all tiles before it: scans and
// filters, by decoupled look-back (look_back.cuh).
//
// A block has a ring of tiles in shared memory, here with four stages. In each step one tile is being copied
// (cp.async), one has arrived and is reduced, so that its sum can be published, and the oldest is finished. The others
// wait until their prefixes are known, which takes a round trip to the L2 and the slowest of the tiles before:
//
//   step    stage 0     stage 1     stage 2     stage 3
//     k     reduces     copies      finishes    waits
//    k+1    waits       reduces     copies      finishes
//    k+2    finishes    waits       reduces     copies
//
//   thread       action in a step                                        until
//   thread 0     takes the next tile from the ticket                     |
//   each thread  waits for its copies (wait_group), then __syncwarp      | the barrier: the sums of all warps and the
//   each warp    reduces its segment of the tile                         | next tile are in shared memory
//   all          peek at the states that the oldest tile needs           |
//   each warp    starts to copy its segment of the next tile
//   thread 0     publishes the sum of the reduced tile
//   all          wait for the prefix of the oldest tile, and finish it
//
// No races: a segment of a stage belongs to one warp, which copies, reduces and finishes it. Data shared between warps
// (sums of warps, tile numbers, storage of the look-back) are written before the one barrier of a step and read after
// it; they are written again two or more steps later, after another barrier. No deadlock: a tile's sum is published
// before its block waits for other sums, and tiles are taken in order (look_back.cuh). All threads of a block leave the
// loop in the same step, when the oldest stage is empty.
#pragma once

#include "library/core/cuda/look_back.cuh"
#include "library/core/cuda/tiles.cuh"

namespace rafter::core {
inline namespace RAFTER_BACKEND {

/// Shared memory of a pass. A policy has `threads`, `vectors`, `blocks_per_sm` and `stages`: the tiles in a block's
/// ring, at least three.
template <class Policy, class T, class Sum, class Prefixes>
struct PassStorage {
  Vector<T> stage[Policy::stages][Tile<Policy, T>::n_vectors];  // each segment belongs to one warp
  Sum warp_sum[Policy::stages][Policy::threads / warp_size];
  std::int64_t tile[Policy::stages];
  typename Prefixes::Storage prefixes;
};

struct PassArgs {
  unsigned* ticket;  // [1], zero before and after
  std::int64_t n_tiles;
};

/// The sums that are known when a warp finishes its segment.
template <class Sum>
struct SegmentPrefix {
  Sum before;  ///< the sum of everything before the tile
  Sum inside;  ///< the sum of the tile's segments before this one
  Sum mine;    ///< the segment's sum
  Sum total;   ///< the tile's sum
};

/// Processes tiles until none is left. All threads must call it.
///
/// `work.reduce(tile, segment)` returns the sum of a warp's segment in all its lanes and may modify the segment.
/// `work.finish(tile, segment, prefix)` completes a segment when its prefix is known. `prefixes` is a LookBack or has
/// its interface.
template <class Policy, class T, class Sum, class Prefixes, class Work>
__device__ void single_pass(const TiledArray<T>& in, const PassArgs& args, const Work& work, Prefixes prefixes,
                            PassStorage<Policy, T, Sum, Prefixes>& storage) {
  using Tile = core::Tile<Policy, T>;
  constexpr int n_stages = Policy::stages;
  constexpr int n_waiting = n_stages - 2;
  static_assert(n_waiting > 0);
  const int t = static_cast<int>(threadIdx.x);
  const int warp = t / warp_size;
  const auto segment = [&](int stage) { return &storage.stage[stage][warp * Tile::segment_vectors]; };

  if (t == 0) storage.tile[0] = take_tile(args.ticket, args.n_tiles, gridDim.x);
  __syncthreads();  // all threads see the first tile
  bool more = storage.tile[0] < args.n_tiles;
  if (more) Tile::start_copy(in, storage.tile[0], warp, segment(0));
  ptx::copy_async_commit();

  for (int step = 0, stage = 0;; ++step, stage = (stage + 1) % n_stages) {
    const int coming = (stage + 1) % n_stages;
    const int leaving = (stage + 2) % n_stages;  // arrived n_waiting steps ago
    const std::int64_t tile = storage.tile[stage];
    const std::int64_t old = step >= n_waiting ? storage.tile[leaving] : args.n_tiles;
    if (step >= n_waiting && old >= args.n_tiles) break;

    std::int64_t next = args.n_tiles;
    if (t == 0 && more) next = take_tile(args.ticket, args.n_tiles, gridDim.x);
    ptx::copy_async_wait<0>();
    __syncwarp();  // the copies of the other lanes are visible
    const Sum sum = tile < args.n_tiles ? work.reduce(tile, segment(stage)) : Sum{0};
    if (old < args.n_tiles) prefixes.peek(old);
    if (t % warp_size == 0) storage.warp_sum[stage][warp] = sum;
    if (t == 0) storage.tile[coming] = next;
    __syncthreads();  // the sums of all warps and the next tile are complete; the storage of prefixes is free again

    more = storage.tile[coming] < args.n_tiles;
    if (more) Tile::start_copy(in, storage.tile[coming], warp, segment(coming));
    ptx::copy_async_commit();
    if (t == 0 && tile < args.n_tiles) {
      Sum total = 0;
      for (int i = 0; i < Tile::n_warps; ++i) total += storage.warp_sum[stage][i];
      prefixes.publish_tile(tile, stage, total, storage.prefixes);
    }
    if (old >= args.n_tiles) continue;
    SegmentPrefix<Sum> prefix = {};
#pragma unroll
    for (int i = 0; i < Tile::n_warps; ++i) {
      const Sum other = storage.warp_sum[leaving][i];
      if (i < warp) prefix.inside += other;
      if (i == warp) prefix.mine = other;
      prefix.total += other;
    }
    prefix.before = prefixes.sum_before(old, leaving, prefix.total, storage.prefixes);
    work.finish(old, segment(leaving), prefix);
  }
}

}  // namespace RAFTER_BACKEND
}  // namespace rafter::core
