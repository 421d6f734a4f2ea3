// Stream compaction in one pass, the kernel of both rungs (CUB's DeviceSelect::If). Persistent blocks process tiles
// that cp.async copies into a ring in shared memory (library/core/cuda/single_pass.cuh):
//
//   tile in shared memory      | warp 0: k . k k . . | warp 1: . . k . . k |      k: kept
//   compact, ballot + popcount | k k k . . .         | k k . . . .         |      each warp to the front of its segment
//   output offset              exclusive prefix of the tile + elements kept by earlier warps of the tile
//   copy                       coalesced, one segment per warp
//
// The rungs differ in the source of a tile's exclusive prefix: decoupled look-back preserves the order of the input,
// one atomic addition per tile does not. What a segment keeps of an element, and what is written of it, is a parameter
// of the kernel (filter_outputs.cuh). Bound by DRAM: every byte is read once, every kept byte written once.
//
// Races: a segment of the ring belongs to one warp, which copies, compacts and writes it; __syncwarp orders its lanes.
// Counts cross warps through single_pass.cuh, which states the barriers that order them.
#pragma once

#include <algorithm>

#include "filter/cuda/filter_outputs.cuh"
#include "filter/cuda/filter_satisfies.cuh"
#include "library/core/cuda/dynamic_shared.cuh"
#include "library/core/cuda/launch.cuh"
#include "library/core/cuda/single_pass.cuh"
#include "library/core/stream/scratch.hpp"

namespace rafter::filter_ladder::RAFTER_BACKEND {

// The compile-time policies. filter_cuda.cu chooses one by the array's size (filter_tunables.hpp) and the GPU's shared
// memory.

/// The policy for large arrays. H200, 2^28 floats, 1 %, 50 % and 90 % kept in order (NOTES.md, stand-alone timing
/// loop): 393, 474 and 550 us; 256 x 8 takes 392, 488 and 567; 512 x 4 takes 432, 512 and 584.
struct FilterPolicy {
  static constexpr int threads = 384;  // also the tiles of a look-back group
  static constexpr int vectors = 6;    // of 16 bytes, per thread: a tile of 36 KiB
  static constexpr int stages = 3;     // tiles in shared memory: one is copied in, one is compacted, one waits
  static constexpr int blocks_per_sm = 2;
  static constexpr std::int64_t shared_bytes_per_sm = 220 << 10;  // 2 x 108 KiB of tiles, and counts
};
/// The policy for GPUs with less shared memory: at least 100 KiB per multiprocessor. Not measured: tiles of 32 KiB, the
/// largest ring of three that fits.
struct NarrowFilterPolicy {
  static constexpr int threads = 256;
  static constexpr int vectors = 8;
  static constexpr int stages = 3;
  static constexpr int blocks_per_sm = 1;
};
/// The policy for short arrays: tiles of 4 KiB, so that more multiprocessors have one. Heuristic.
struct SmallFilterPolicy {
  static constexpr int threads = 64;
  static constexpr int vectors = 4;
  static constexpr int stages = 3;
  static constexpr int blocks_per_sm = 8;
};

template <class T, class Output>
struct FilterView {
  core::TiledArray<T> in;  // [n]
  Range<T> range;
  Output out;  // [capacity]
  std::int64_t capacity;
  unsigned long long* count;  // [1]; must be zero before the launch when the order is any
  FilterOrder order;
  core::PassArgs pass;
};

/// The largest divisor of n that is at most `at_most`.
constexpr int largest_divisor(int n, int at_most) {
  while (n % at_most != 0) --at_most;
  return at_most;
}

/// Moves the marks of the kept elements of a warp's segment to its front, in order, and returns their number.
/// `is_kept(x, i)` decides about element i of the segment, x. Collective: all lanes of the warp.
template <class Policy, class Output, class T, class IsKept>
__device__ int compact(T* segment, IsKept is_kept) {
  constexpr int n_rows = core::Tile<Policy, T>::segment_elements / core::warp_size;
  constexpr int batch = largest_divisor(n_rows, 8);
  const int lane = static_cast<int>(threadIdx.x) % core::warp_size;
  const unsigned lanes_before = (1u << lane) - 1;
  int n_kept = 0;
  for (int first = 0; first < n_rows; first += batch) {
    T x[batch];
#pragma unroll
    for (int k = 0; k < batch; ++k) x[k] = segment[(first + k) * core::warp_size + lane];
    __syncwarp();  // all lanes have read the batch before any of it is overwritten
#pragma unroll
    for (int k = 0; k < batch; ++k) {
      const int i = (first + k) * core::warp_size + lane;
      const bool kept = is_kept(x[k], i);
      const unsigned votes = __ballot_sync(core::full_warp, kept);
      if (kept) segment[n_kept + __popc(votes & lanes_before)] = Output::mark(x[k], i);
      n_kept += __popc(votes);
    }
  }
  __syncwarp();  // the moved elements are visible to all lanes
  return n_kept;
}

/// Compacts the warp's segment of a tile, which its lanes have copied. Elements outside of the array are dropped.
/// Collective: all lanes of the warp.
template <class Policy, class T, class Output>
__device__ int compact_segment(const FilterView<T, Output>& args, std::int64_t tile, int warp, T* segment) {
  using Tile = core::Tile<Policy, T>;
  const Range<T>& range = args.range;
  if (Tile::is_full(args.in, tile)) {
    return range.inside ? compact<Policy, Output>(segment, [&](T x, int) { return lies_in(range, x); })
                        : compact<Policy, Output>(segment, [&](T x, int) { return !lies_in(range, x); });
  }
  const std::int64_t first = Tile::first(args.in, tile) + warp * Tile::segment_elements;
  return compact<Policy, Output>(segment, [&](T x, int i) {
    const std::int64_t element = first + i;
    return element >= 0 && element < args.in.n && satisfies(range, x);
  });
}

using Count = unsigned long long;

/// Assigns output offsets in any order, by one atomic addition per tile. Has the interface of core::LookBack.
template <int Stages>
struct AnyPlace {
  struct Storage {
    Count before[Stages];
  };
  Count* count;  // [1], zero before the launch

  __device__ void publish_tile(std::int64_t, int stage, Count n_kept, Storage& storage) {
    storage.before[stage] = n_kept > 0 ? atomicAdd(count, n_kept) : 0;
  }
  __device__ void peek(std::int64_t) {}
  __device__ Count sum_before(std::int64_t, int stage, Count, Storage& storage) { return storage.before[stage]; }
};

/// Writes what the first n marks of a warp's segment stand for to [at, at + n) of the output, up to its capacity. The
/// segment begins at element `first` of the input. Collective: all lanes of the warp.
template <class T, class Output>
__device__ void write_kept(const FilterView<T, Output>& args, const T* segment, int n, std::int64_t at,
                           std::int64_t first) {
  n = static_cast<int>(max(std::int64_t{0}, min(std::int64_t{n}, args.capacity - at)));
  args.out.write(segment, n, at, first);
  __syncwarp();  // all lanes have read the segment before the next copy overwrites it
}

/// The work of a tile, called by core::single_pass. Collective: all threads of the block.
template <class Policy, class T, class Output>
struct FilterWork {
  using Tile = core::Tile<Policy, T>;
  const FilterView<T, Output>& args;

  __device__ Count reduce(std::int64_t tile, core::Vector<T>* segment) const {
    const int warp = static_cast<int>(threadIdx.x) / core::warp_size;
    return static_cast<Count>(compact_segment<Policy>(args, tile, warp, segment->lane));
  }
  __device__ void finish(std::int64_t tile, core::Vector<T>* segment, const core::SegmentPrefix<Count>& prefix) const {
    const int warp = static_cast<int>(threadIdx.x) / core::warp_size;
    write_kept(args, segment->lane, static_cast<int>(prefix.mine),
               static_cast<std::int64_t>(prefix.before + prefix.inside),
               Tile::first(args.in, tile) + warp * Tile::segment_elements);
    if (threadIdx.x == 0 && tile == args.pass.n_tiles - 1) last_count(prefix);
  }

 private:
  /// Stores the total count, which the last tile knows. In any order, `count` has it already: it is the counter that
  /// the tiles reserved their output from.
  __device__ void last_count(const core::SegmentPrefix<Count>& prefix) const {
    if (args.order == FilterOrder::preserved) *args.count = prefix.before + prefix.total;
  }
};

template <class Policy, class T, class Output, class Prefixes>
__global__ void __launch_bounds__(Policy::threads, Policy::blocks_per_sm)
    filter_tiles(const __grid_constant__ FilterView<T, Output> args, Prefixes prefixes) {
  auto& storage = *core::dynamic_shared<core::PassStorage<Policy, T, Count, Prefixes>>();
  core::single_pass(args.in, args.pass, FilterWork<Policy, T, Output>{args}, prefixes, storage);
}

template <class Policy, class T, class Output, class Prefixes>
void launch_tiles(const Stream& stream, const FilterView<T, Output>& args, const Prefixes& prefixes) {
  constexpr std::int64_t shared_bytes = sizeof(core::PassStorage<Policy, T, Count, Prefixes>);
  const std::int64_t resident = std::int64_t{stream.n_multiprocessors()} * Policy::blocks_per_sm;
  core::allow_shared(filter_tiles<Policy, T, Output, Prefixes>, shared_bytes);
  core::launch(filter_tiles<Policy, T, Output, Prefixes>, std::min(args.pass.n_tiles, resident), Policy::threads,
               shared_bytes, stream, args, prefixes);
}

/// Launches the kernel over all tiles. Does not write the count of an empty array.
template <class Policy, class T, class Output>
void launch_filter(const Stream& stream, FilterView<T, Output> args) {
  args.pass.n_tiles = args.in.n_tiles(core::Tile<Policy, T>::elements);
  if (args.order == FilterOrder::any) return launch_tiles<Policy>(stream, args, AnyPlace<Policy::stages>{args.count});
  const std::int64_t state_bytes = args.pass.n_tiles * std::int64_t{sizeof(core::TileState)};
  auto* states = reinterpret_cast<core::TileState*>(core::scratch(stream, state_bytes));
  if (args.pass.n_tiles > 1) core::clear(stream, states, state_bytes);
  launch_tiles<Policy>(stream, args, core::LookBack<Count, Policy::threads>{states});
}

}  // namespace rafter::filter_ladder::RAFTER_BACKEND
