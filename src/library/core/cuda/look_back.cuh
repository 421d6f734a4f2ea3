// Decoupled look-back: prefix sums over tiles in one pass. Every tile publishes its sum (its aggregate), and computes
// the sum of all tiles before it (its exclusive prefix) from published values.
//
// Groups have as many tiles as the block has threads, so that a block inspects a whole group at once, one tile per
// thread. With groups of four, and tile 6 looking back:
//
//   tile      0     1     2     3   |   4     5     6     7
//   state    sum   sum   sum  PREFIX|  sum   sum    -     -       - : zero, not published
//                               ^       ^     ^
//   thread                      0       1     2                   3 has no tile to inspect
//
//   all but the last tile of a group publish   the tile's own sum, as soon as it is known
//   the last tile of a group publishes         the sum of everything up to its own end, when its prefix is known
//
// So a prefix takes one round trip to the L2 if the other tiles have published, advances by a whole group per trip, and
// the order of additions never depends on timing.
//
//   thread     when                              action
//   thread 0   its tile's sum is known           publish_tile(): one relaxed store
//   all        while they have other work        peek(): one relaxed load, without waiting
//   all        the prefix is needed              sum_before(): load again until published, then reduce over the block
//   thread 0   after that, for the last tile     publish() of the prefix
//
// No races: each word of a state carries its own flag, and a state is written once per launch, by one thread. No
// deadlock: tiles are taken in order from a ticket, so all tiles before one were started by blocks that are running; a
// tile publishes its own sum before it waits; and the last tile of a group waits only for tiles before it. So the
// earliest unfinished tile never waits.
//
// A state is two words; each carries half of a sum and a flag that it was written. A thread that sees both flags has
// the sum. No other data depend on the flags, so relaxed order suffices: no acquire, release, fence or 16-byte atomic
// is needed.
#pragma once

#include <cstdint>

#include "library/core/cuda/reduce.cuh"
#include "library/ptx/device_build.cuh"
#include "library/ptx/memory_order.cuh"

namespace rafter::core {
inline namespace RAFTER_BACKEND {

/// A state; zero until published. Each word has half of the sum's bits in its lower half, and 1 in its upper half when
/// written.
using TileState = ulonglong2;

__device__ inline unsigned long long sum_bits(double sum) {
  return static_cast<unsigned long long>(__double_as_longlong(sum));
}
__device__ inline unsigned long long sum_bits(unsigned long long sum) { return sum; }
template <class Sum>
__device__ Sum sum_of_bits(unsigned long long bits);
template <>
__device__ inline double sum_of_bits<double>(unsigned long long bits) {
  return __longlong_as_double(static_cast<long long>(bits));
}
template <>
__device__ inline unsigned long long sum_of_bits<unsigned long long>(unsigned long long bits) {
  return bits;
}

template <class Sum>
__device__ void publish(TileState* at, Sum sum) {
  constexpr unsigned long long written = 1ull << 32;
  const unsigned long long bits = sum_bits(sum);
  ptx::store_relaxed(at, {written | (bits & 0xffffffffu), written | bits >> 32});
}

/// Returns whether a loaded state was published.
__device__ inline bool is_published(const TileState& state) { return (state.x & state.y) >> 32 != 0; }

/// Waits until a state is published and returns its sum; `seen` is the result of an earlier load, if any.
template <class Sum>
__device__ Sum wait_for_sum(const TileState* state, TileState seen = {}) {
  while (!is_published(seen)) {
#ifdef RAFTER_SIMT
    __nanosleep(1);  // lets other blocks run
#endif
    seen = ptx::load_relaxed(state);
  }
  return sum_of_bits<Sum>(seen.y << 32 | (seen.x & 0xffffffffu));
}

/// The tiles before a tile, as inspected by a block of `Threads`: one tile per thread.
template <class Sum, int Threads>
struct LookBack {
  using Storage = BlockSumStorage<Sum, Threads>;

  TileState* states;  // [n_tiles], zero before the launch
  TileState seen = {};

  /// Returns the tile that this thread inspects for `tile`: thread 0 the last of the previous group, the others one of
  /// their own group.
  __device__ static std::int64_t inspected_tile(std::int64_t tile) { return tile - tile % Threads - 1 + threadIdx.x; }
  __device__ static bool ends_group(std::int64_t tile) { return tile % Threads == Threads - 1; }

  /// Publishes the sum of the block's tile; called by thread 0. The last tile of a group publishes its prefix later.
  __device__ void publish_tile(std::int64_t tile, int /*stage*/, Sum tile_sum, Storage&) {
    if (!ends_group(tile)) publish(&states[tile], tile_sum);
  }

  /// Loads the state that sum_before() will need, without waiting.
  __device__ void peek(std::int64_t tile) {
    if (inspected_tile(tile) >= 0 && inspected_tile(tile) < tile)
      seen = ptx::load_relaxed(&states[inspected_tile(tile)]);
  }

  /// Returns the sum of all tiles before `tile`, whose own sum is `tile_sum`. All threads call it after peek(), with
  /// the same arguments; a barrier must precede the next use of `storage`.
  __device__ Sum sum_before(std::int64_t tile, int /*stage*/, Sum tile_sum, Storage& storage) {
    const int t = static_cast<int>(threadIdx.x);
    Sum sum = 0;
    if (inspected_tile(tile) >= 0 && inspected_tile(tile) < tile) {
      sum = wait_for_sum<Sum>(&states[inspected_tile(tile)], seen);
    }
    sum = warp_sum(sum);
    if (t % warp_size == 0) storage.partial[t / warp_size] = sum;
    __syncthreads();  // the partial sums of all warps are complete

    Sum before = 0;
#pragma unroll
    for (int warp = 0; warp < Threads / warp_size; ++warp) before += storage.partial[warp];
    if (t == 0 && ends_group(tile)) publish(&states[tile], before + tile_sum);
    return before;
  }
};

/// Returns the next tile, or `n_tiles` or more when none is left. One thread of each of `n_blocks` blocks calls it,
/// until it first returns at least `n_tiles`. Resets the ticket to zero for the next launch.
__device__ inline std::int64_t take_tile(unsigned* ticket, std::int64_t n_tiles, unsigned n_blocks) {
  const unsigned tile = atomicAdd(ticket, 1u);
  if (tile == n_tiles + n_blocks - 1) atomicExch(ticket, 0u);
  return tile;
}

}  // namespace RAFTER_BACKEND
}  // namespace rafter::core
