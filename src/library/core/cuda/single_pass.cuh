// One pass over an array in tiles, for work in which a tile must know a sum over all tiles before it: scans and
// filters, by decoupled look-back (look_back.cuh).
//
// A block has a ring of tiles in shared memory, here of four stages. In each step one tile is on its way (cp.async),
// one has come and is looked at, so that its sum can be published, and the oldest is finished. The others wait until
// the sums before them are known, which takes a trip to the L2 and the slowest of the tiles before:
//
//   step    stage 0     stage 1     stage 2     stage 3
//     k     looks at    copies      finishes    waits
//    k+1    waits       looks at    copies      finishes
//    k+2    finishes    waits       looks at    copies
//
//   who          does in a step                                          until
//   thread 0     takes the next tile's number from the ticket            |
//   each thread  waits for its copies (wait_group), then __syncwarp      | the barrier: all sums of warps, and the next
//   each warp    looks at its segment of the tile: its sum               | tile's number, are in shared memory
//   all          peek at the states that the oldest tile needs           |
//   each warp    starts to copy its segment of the next tile
//   thread 0     publishes the sum of the tile that was looked at
//   all          wait for the sum before the oldest tile, and finish it
//
// Why it does not race: a segment of a stage belongs to one warp, which copies, looks at and finishes it; what crosses
// warps (sums of warps, the tiles' numbers, the look-back's storage) is written before the one barrier of a step and
// read after it; and it is written again two or more steps later, past another barrier.
// Why it does not deadlock: a tile's sum is published before its block waits for sums of others, and tiles are handed
// out in order (look_back.cuh). All threads of a block leave the loop in the same step, when the oldest tile is none.
#pragma once

#include "library/core/cuda/look_back.cuh"
#include "library/core/cuda/tiles.cuh"

namespace rafter::core {
inline namespace RAFTER_BACKEND {

/// A policy has `threads`, `vectors`, `blocks_per_sm` and `stages`: the tiles in a block's ring, three or more.
template <class Policy, class T, class Sum, class Places>
struct PassStorage {
  Vector<T> stage[Policy::stages][Tile<Policy, T>::n_vectors];  // segments belong to their warps
  Sum warp_sum[Policy::stages][Policy::threads / warp_size];
  std::int64_t tile[Policy::stages];
  typename Places::Storage places;
};

struct PassArgs {
  unsigned* ticket;  // [1], zero before and after
  std::int64_t n_tiles;
};

/// What is known of a warp's segment when it is finished.
template <class Sum>
struct Place {
  Sum before;  ///< the sum of everything before the tile
  Sum inside;  ///< the sum of the tile's segments before this one
  Sum mine;    ///< the segment's sum
  Sum total;   ///< the tile's sum
};

/// Works through tiles until there are no more. All threads call.
///
/// `work.look(tile, segment)`: all lanes of a warp get the sum of its segment; they may change it. `work.finish(tile,
/// segment, place)`: what a warp does when the sum of everything before is known. `places` is a LookBack or something
/// like it.
template <class Policy, class T, class Sum, class Places, class Work>
__device__ void single_pass(const TiledArray<T>& in, const PassArgs& args, const Work& work, Places places,
                            PassStorage<Policy, T, Sum, Places>& storage) {
  using Tile = core::Tile<Policy, T>;
  constexpr int n_stages = Policy::stages;
  constexpr int n_waiting = n_stages - 2;
  static_assert(n_waiting > 0);
  const int t = static_cast<int>(threadIdx.x);
  const int warp = t / warp_size;
  const auto segment = [&](int stage) { return &storage.stage[stage][warp * Tile::segment_vectors]; };

  if (t == 0) storage.tile[0] = take_tile(args.ticket, args.n_tiles, gridDim.x);
  __syncthreads();  // everyone knows the first tile
  bool more = storage.tile[0] < args.n_tiles;
  if (more) Tile::start_copy(in, storage.tile[0], warp, segment(0));
  ptx::copy_async_commit();

  for (int step = 0, stage = 0;; ++step, stage = (stage + 1) % n_stages) {
    const int coming = (stage + 1) % n_stages;
    const int leaving = (stage + 2) % n_stages;  // came n_waiting steps ago
    const std::int64_t tile = storage.tile[stage];
    const std::int64_t old = step >= n_waiting ? storage.tile[leaving] : args.n_tiles;
    if (step >= n_waiting && old >= args.n_tiles) break;

    std::int64_t next = args.n_tiles;
    if (t == 0 && more) next = take_tile(args.ticket, args.n_tiles, gridDim.x);
    ptx::copy_async_wait<0>();
    __syncwarp();  // what the other lanes have copied is seen
    const Sum sum = tile < args.n_tiles ? work.look(tile, segment(stage)) : Sum{0};
    if (old < args.n_tiles) places.peek(old);
    if (t % warp_size == 0) storage.warp_sum[stage][warp] = sum;
    if (t == 0) storage.tile[coming] = next;
    __syncthreads();  // the sums of all warps are there, and the next tile; the storage of places is free again

    more = storage.tile[coming] < args.n_tiles;
    if (more) Tile::start_copy(in, storage.tile[coming], warp, segment(coming));
    ptx::copy_async_commit();
    if (t == 0 && tile < args.n_tiles) {
      Sum total = 0;
      for (int i = 0; i < Tile::n_warps; ++i) total += storage.warp_sum[stage][i];
      places.publish_tile(tile, stage, total, storage.places);
    }
    if (old >= args.n_tiles) continue;
    Place<Sum> place = {};
#pragma unroll
    for (int i = 0; i < Tile::n_warps; ++i) {
      const Sum other = storage.warp_sum[leaving][i];
      if (i < warp) place.inside += other;
      if (i == warp) place.mine = other;
      place.total += other;
    }
    place.before = places.sum_before(old, leaving, place.total, storage.places);
    work.finish(old, segment(leaving), place);
  }
}

}  // namespace RAFTER_BACKEND
}  // namespace rafter::core
