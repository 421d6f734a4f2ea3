// Decoupled look-back: running sums over tiles in one pass. Every tile publishes its sum (its aggregate), and finds the
// sum of all tiles before it (its exclusive prefix) in what those have published.
//
// Tiles stand in groups as large as the block, so that a block looks at a whole group at once, one tile a thread. With
// groups of four, and tile 6 looking back:
//
//   tile      0     1     2     3   |   4     5     6     7
//   state    sum   sum   sum  PREFIX|  sum   sum    -     -       - : zero, nothing published
//                               ^       ^     ^
//   thread                      0       1     2                   3 has nothing to look at
//
//   all but the last tile of a group publish   the tile's own sum, as soon as it is known
//   the last tile of a group publishes         the sum of everything up to its own end, when it knows what is before
//
// So a prefix arrives in one trip to the L2 when the others have published, moves on by a whole group per trip, and
// what is added to what never depends on timing.
//
//   who        when                              does
//   thread 0   its tile's sum is known           publish_tile(): one store, relaxed
//   all        while they have other work        peek(): one load, relaxed, without waiting
//   all        the prefix is needed              sum_before(): load again until published, then add up over the block
//   thread 0   after that, for the last tile     publish() of the prefix
//
// Why it does not race: tile_state.cuh says so. A state is written once a launch, by one thread.
// Why it does not deadlock: tiles are handed out by a ticket, in order, so all tiles before one have been started by
// blocks that are running; a tile publishes its own sum before it waits for anybody; and the last tile of a group waits
// only for tiles before it. So the earliest tile that is not finished never waits.
#pragma once

#include <cstdint>

#include "library/core/cuda/reduce.cuh"
#include "library/core/cuda/tile_state.cuh"

namespace rafter::core {
inline namespace RAFTER_BACKEND {

/// The tiles before one as a block of `Threads` sees them: one a thread.
template <class Sum, int Threads>
struct LookBack {
  using Storage = BlockSumStorage<Sum, Threads>;

  TileState* states;  // [n_tiles], zero before the launch
  TileState seen = {};

  /// The tile this thread looks at for `tile`: thread 0 the end of the group before, the others their own group's.
  __device__ static std::int64_t mine(std::int64_t tile) { return tile - tile % Threads - 1 + threadIdx.x; }
  __device__ static bool ends_group(std::int64_t tile) { return tile % Threads == Threads - 1; }

  /// Thread 0 says what its block's tile adds. The last tile of a group waits until it knows more.
  __device__ void publish_tile(std::int64_t tile, int /*stage*/, Sum tile_sum, Storage&) {
    if (!ends_group(tile)) publish(&states[tile], tile_sum);
  }

  /// Has a look, without waiting, at what sum_before() will need.
  __device__ void peek(std::int64_t tile) {
    if (mine(tile) >= 0 && mine(tile) < tile) seen = ptx::load_relaxed(&states[mine(tile)]);
  }

  /// The sum of all tiles before `tile`, whose own is `tile_sum`. All threads call after peek(), with the same
  /// arguments; a barrier must come before `storage` is used again.
  __device__ Sum sum_before(std::int64_t tile, int /*stage*/, Sum tile_sum, Storage& storage) {
    const int t = static_cast<int>(threadIdx.x);
    Sum sum = 0;
    if (mine(tile) >= 0 && mine(tile) < tile) {
      sum = wait_for_sum<Sum>(&states[mine(tile)], seen);
    }
    sum = warp_sum(sum);
    if (t % warp_size == 0) storage.partial[t / warp_size] = sum;
    __syncthreads();  // every warp's part of the sum is there

    Sum before = 0;
#pragma unroll
    for (int warp = 0; warp < Threads / warp_size; ++warp) before += storage.partial[warp];
    if (t == 0 && ends_group(tile)) publish(&states[tile], before + tile_sum);
    return before;
  }
};

/// The next tile, or `n_tiles` or more when all have been handed out. One thread of each of `n_blocks` calls, until it
/// gets that answer once. Leaves the ticket zero for the next launch.
__device__ inline std::int64_t take_tile(unsigned* ticket, std::int64_t n_tiles, unsigned n_blocks) {
  const unsigned tile = atomicAdd(ticket, 1u);
  if (tile == n_tiles + n_blocks - 1) atomicExch(ticket, 0u);
  return tile;
}

}  // namespace RAFTER_BACKEND
}  // namespace rafter::core
