// Stream compaction in one pass, the one kernel under both filters (CUB calls it DeviceSelect::If). Resident blocks
// walk through tiles, which cp.async brings into a ring in shared memory (library/core/cuda/single_pass.cuh):
//
//   tile in shared memory      | warp 0: k . k k . . | warp 1: . . k . . k |      k: kept
//   compact, ballot + popcount | k k k . . .         | k k . . . .         |      each warp to the front of its segment
//   place in the output        exclusive prefix of the tile + kept by the warps before
//   copy                       coalesced, a segment a warp
//
// The two differ in where a tile's exclusive prefix comes from: decoupled look-back keeps the order of the input, one
// atomic addition per tile does not. Bound by DRAM: every byte is read once, every kept one written once.
#pragma once

#include <algorithm>

#include "filter/cuda/filter_satisfies.cuh"
#include "library/core/cuda/dynamic_shared.cuh"
#include "library/core/cuda/launch.cuh"
#include "library/core/cuda/single_pass.cuh"

namespace rafter::filter_ladder::RAFTER_BACKEND {

struct FilterPolicy {
  // H200, 2^28 floats, 1 %, 50 % and 90 % kept in order: 392, 474, 550 us; 256 x 8: 392, 488, 567; 512 x 4: 432, 512,
  // 584.
  static constexpr int threads = 384;  // also the tiles of a look-back group
  static constexpr int vectors = 6;    // of 16 bytes, per thread: a tile of 36 KiB
  static constexpr int stages = 3;     // tiles in shared memory: one on the way, one at work, one waiting
  static constexpr int blocks_per_sm = 2;
  static constexpr std::int64_t shared_bytes_per_sm = 220 << 10;  // 2 x 108 KiB and what goes with them
};
/// For GPUs with less shared memory: 100 KiB a multiprocessor at least.
struct NarrowFilterPolicy {
  static constexpr int threads = 256;
  static constexpr int vectors = 8;
  static constexpr int stages = 3;
  static constexpr int blocks_per_sm = 1;
};
/// For short arrays: more blocks, with less to do each.
struct SmallFilterPolicy {
  static constexpr int threads = 64;
  static constexpr int vectors = 4;
  static constexpr int stages = 3;
  static constexpr int blocks_per_sm = 8;
};

template <class T>
struct FilterView {
  core::TiledArray<T> in;  // [n]
  Range<T> range;
  T* out;  // [capacity]
  std::int64_t capacity;
  unsigned long long* count;  // [1]; zero before, when the order is any
  FilterOrder order;
  core::PassArgs pass;
};

constexpr int largest_divisor(int n, int at_most) {
  while (n % at_most != 0) --at_most;
  return at_most;
}

/// Moves what a warp keeps of its segment to the front of it, in order; returns how many. `is_kept(x, i)` says whether
/// element i of the segment is kept.
template <class Policy, class T, class IsKept>
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
    __syncwarp();  // the batch is read before something is moved into its place
#pragma unroll
    for (int k = 0; k < batch; ++k) {
      const bool kept = is_kept(x[k], (first + k) * core::warp_size + lane);
      const unsigned votes = __ballot_sync(core::full_warp, kept);
      if (kept) segment[n_kept + __popc(votes & lanes_before)] = x[k];
      n_kept += __popc(votes);
    }
  }
  __syncwarp();  // what was moved is seen by all lanes
  return n_kept;
}

/// `compact` for the warp's segment of a tile, which its lanes have copied.
template <class Policy, class T>
__device__ int compact_segment(const FilterView<T>& args, std::int64_t tile, int warp, T* segment) {
  using Tile = core::Tile<Policy, T>;
  const Range<T>& range = args.range;
  if (Tile::is_full(args.in, tile)) {
    return range.inside ? compact<Policy>(segment, [&](T x, int) { return lies_in(range, x); })
                        : compact<Policy>(segment, [&](T x, int) { return !lies_in(range, x); });
  }
  const std::int64_t first = Tile::first(args.in, tile) + warp * Tile::segment_elements;
  return compact<Policy>(segment, [&](T x, int i) {
    const std::int64_t element = first + i;
    return element >= 0 && element < args.in.n && satisfies(range, x);
  });
}

using Count = unsigned long long;

/// Places in any order: a tile's is what has been counted when its turn comes. Stands in for core::LookBack.
template <int Stages>
struct AnyPlace {
  struct Storage {
    Count before[Stages];
  };
  Count* count;  // [1], zero before

  __device__ void publish_tile(std::int64_t, int stage, Count n_kept, Storage& storage) {
    storage.before[stage] = n_kept > 0 ? atomicAdd(count, n_kept) : 0;
  }
  __device__ void peek(std::int64_t) {}
  __device__ Count sum_before(std::int64_t, int stage, Count, Storage& storage) { return storage.before[stage]; }
};

/// A warp writes the front of its segment to out[at, at + n), as far as that is there.
template <class T>
__device__ void write_kept(const FilterView<T>& args, const T* segment, int n, std::int64_t at) {
  n = static_cast<int>(max(std::int64_t{0}, min(std::int64_t{n}, args.capacity - at)));
  T* out = args.out + at;
#pragma unroll 4
  for (int i = static_cast<int>(threadIdx.x) % core::warp_size; i < n; i += core::warp_size) out[i] = segment[i];
  __syncwarp();  // the segment is free again
}

template <class Policy, class T>
struct FilterWork {
  const FilterView<T>& args;

  __device__ Count look(std::int64_t tile, core::Vector<T>* segment) const {
    const int warp = static_cast<int>(threadIdx.x) / core::warp_size;
    return static_cast<Count>(compact_segment<Policy>(args, tile, warp, segment->lane));
  }
  __device__ void finish(std::int64_t tile, core::Vector<T>* segment, const core::Place<Count>& place) const {
    write_kept(args, segment->lane, static_cast<int>(place.mine),
               static_cast<std::int64_t>(place.before + place.inside));
    if (threadIdx.x == 0 && tile == args.pass.n_tiles - 1) last_count(place);
  }

 private:
  /// In order, the last tile knows the count; in any order, the count is where the tiles got their places from.
  __device__ void last_count(const core::Place<Count>& place) const {
    if (args.order == FilterOrder::preserved) *args.count = place.before + place.total;
  }
};

template <class Policy, class T, class Places>
__global__ void __launch_bounds__(Policy::threads, Policy::blocks_per_sm)
    filter_tiles(FilterView<T> args, Places places) {
  auto& storage = *core::dynamic_shared<core::PassStorage<Policy, T, Count, Places>>();
  core::single_pass(args.in, args.pass, FilterWork<Policy, T>{args}, places, storage);
}

template <class Policy, class T, class Places>
void launch_tiles(const Stream& stream, const FilterView<T>& args, const Places& places) {
  constexpr std::int64_t shared_bytes = sizeof(core::PassStorage<Policy, T, Count, Places>);
  const std::int64_t resident = std::int64_t{stream.n_multiprocessors()} * Policy::blocks_per_sm;
  core::allow_shared(filter_tiles<Policy, T, Places>, shared_bytes);
  core::launch(filter_tiles<Policy, T, Places>, std::min(args.pass.n_tiles, resident), Policy::threads, shared_bytes,
               stream, args, places);
}

/// Leaves the count to the caller when there is nothing to filter.
template <class Policy, class T>
void launch_filter(const Stream& stream, FilterView<T> args) {
  args.pass.n_tiles = args.in.n_tiles(core::Tile<Policy, T>::elements);
  if (args.order == FilterOrder::any) return launch_tiles<Policy>(stream, args, AnyPlace<Policy::stages>{args.count});
  const std::int64_t state_bytes = args.pass.n_tiles * std::int64_t{sizeof(core::TileState)};
  auto* states = reinterpret_cast<core::TileState*>(stream.scratch(state_bytes));
  if (args.pass.n_tiles > 1) core::clear(stream, states, state_bytes);
  launch_tiles<Policy>(stream, args, core::LookBack<Count, Policy::threads>{states});
}

}  // namespace rafter::filter_ladder::RAFTER_BACKEND
