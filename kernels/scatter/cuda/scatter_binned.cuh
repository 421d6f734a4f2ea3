// Reductions by many unsorted keys: a radix partition by ranges of keys, then privatised sums. An atomic into the
// result costs one L2 access per element. Here a block first sorts a tile of elements by bins, ranges of keys whose
// states fit in shared memory, and writes it to scratch memory; then a bin's blocks read its elements from all tiles
// and combine them in shared memory. The array is processed in chunks, so that the scratch stays in the L2; each launch
// sorts the tiles of a chunk and concurrently combines the previous chunk.
// Bound by shared memory: two atomics and three other accesses per element.
// Every block sorts one tile or combines one bin, so no shared memory is reused after its last barrier.
#pragma once

#include <algorithm>

#include "library/core/cuda/dynamic_shared.cuh"
#include "library/core/cuda/policy.cuh"
#include "library/core/cuda/scan.cuh"
#include "library/core/stream/scratch.hpp"
#include "scatter/cuda/scatter_unsorted.cuh"
#include "scatter/scatter_results.hpp"
#include "scatter/scatter_tunables.hpp"

namespace rafter::scatter_ladder::RAFTER_BACKEND {

struct BinnedPolicy {
  static constexpr int threads = 512;
  static constexpr int items = 16;
  static constexpr int blocks_per_sm = 2;
  static constexpr int tile = threads * items;
  static constexpr int least_tiles_per_sm = 3;  // smaller chunks take longer than atomics
  static constexpr int max_bins = 256;          // one thread per bin
  static constexpr int max_bin_keys = 8192;     // 32 KiB of states
  static constexpr int wanted_bins = 128;
  static constexpr int blocks_per_bin = 2;
  static constexpr int state_bytes = 4;
  static constexpr int lanes_per_segment = 16;  // a bin's part of a tile: 64 elements if keys are uniform
  static constexpr int overflow_factor = 8;     // times the mean count: further elements of a tile bypass the bin
  static constexpr std::int64_t least_elements = 1 << 22;
  static constexpr bool valid() { return threads >= max_bins && tile <= 0xffff && max_bin_keys <= 0x10000; }
};
static_assert(BinnedPolicy::valid());

/// The range of a sorted tile that holds the elements of one bin.
struct Segment {
  std::uint16_t first;
  std::uint16_t count;
};

/// The sorted tiles of a chunk.
template <class State>
struct BinnedChunk {
  std::int64_t first_tile;  // of the array
  int n_tiles;
  State* states;          // [n_tiles, tile]
  std::uint16_t* places;  // the key's index in its bin
  Segment* segments;      // [n_bins, n_tiles]
};

struct Bins {
  int n;
  int shift;      // keys in a bin, as a power of two
  int max_count;  // most elements of a tile in one bin
};

template <class State>
struct SortStorage {
  alignas(16) State state[BinnedPolicy::tile];
  alignas(16) std::uint16_t place[BinnedPolicy::tile];
  int count[BinnedPolicy::max_bins];
  int start[BinnedPolicy::max_bins];  // in the sorted tile; -1 if the bin overflows
  core::BlockSumStorage<int, BinnedPolicy::threads> running;
  int n_sorted;
};

/// Converts the counts of the bins to starts and writes the tile's segments; thread t handles bin t. Collective: all
/// threads of the block.
template <class State>
__device__ void start_bins(SortStorage<State>& storage, const BinnedChunk<State>& chunk, int tile, const Bins& bins) {
  const int t = static_cast<int>(threadIdx.x);
  const int came = t < bins.n ? storage.count[t] : 0;
  const bool overflows = came > bins.max_count;
  const int count = overflows ? 0 : came;
  const core::RunningSum<int> running = core::block_running_sum(count, storage.running);
  if (t < bins.n) {
    storage.start[t] = overflows ? -1 : running.before;
    chunk.segments[t * std::int64_t{chunk.n_tiles} + tile] = {static_cast<std::uint16_t>(running.before),
                                                              static_cast<std::uint16_t>(count)};
  }
  if (t == 0) storage.n_sorted = running.total;
  __syncthreads();  // start and n_sorted are complete
}

/// Copies `n` elements, 16 bytes at a time; both arrays have that alignment. Collective: all threads of the block.
template <class Element>
__device__ void copy_out(const Element* from, int n, Element* to) {
  constexpr int width = core::Vector<Element>::size;
  const int t = static_cast<int>(threadIdx.x);
  const auto* vectors = reinterpret_cast<const core::Vector<Element>*>(from);
#pragma unroll 4
  for (int i = t; i < n / width; i += BinnedPolicy::threads)
    reinterpret_cast<core::Vector<Element>*>(to)[i] = vectors[i];
  if (t < n % width) to[n - 1 - t] = from[n - 1 - t];
}

/// Sorts a tile by bins into the chunk. Elements of an overflowing bin are combined directly with the result, after
/// equal keys of a warp: they may all have one key, which the few blocks of a bin could not process in time.
/// Collective: all threads of the block.
template <class Reducer, class T, class Key>
__device__ void sort_tile(const ScatterView<T, Key>& view, const BinnedChunk<typename Reducer::State>& chunk, int tile,
                          const Bins& bins) {
  using State = typename Reducer::State;
  constexpr int items = BinnedPolicy::items;
  auto& storage = *core::dynamic_shared<SortStorage<State>>();
  const int t = static_cast<int>(threadIdx.x);
  Key loaded[items];
  typename Reducer::Element value[items];
  load_tile(view, (chunk.first_tile + tile) * BinnedPolicy::tile, BinnedPolicy::threads, loaded, value);
  int key[items];  // -1 for none; 64-bit keys would take the registers of the second block
#pragma unroll
  for (int j = 0; j < items; ++j) key[j] = view.has(loaded[j]) ? static_cast<int>(loaded[j]) : -1;

  if (t < BinnedPolicy::max_bins) storage.count[t] = 0;
  __syncthreads();  // all counts are zero
  int rank[items];  // in its bin
#pragma unroll
  for (int j = 0; j < items; ++j) {
    if (key[j] >= 0) rank[j] = atomicAdd(&storage.count[key[j] >> bins.shift], 1);
  }
  __syncthreads();  // all elements are counted
  start_bins(storage, chunk, tile, bins);

  bool any_left = false;
#pragma unroll
  for (int j = 0; j < items; ++j) {
    const int start = key[j] >= 0 ? storage.start[key[j] >> bins.shift] : -1;
    if (start >= 0) {
      storage.state[start + rank[j]] = Reducer::from(value[j]);
      storage.place[start + rank[j]] = static_cast<std::uint16_t>(key[j] & ((1 << bins.shift) - 1));
      key[j] = -1;
    }
    any_left = any_left || key[j] >= 0;
  }
  if (__syncthreads_or(any_left ? 1 : 0) != 0) {  // and the tile is sorted
#pragma unroll
    for (int j = 0; j < items; ++j) {
      State state = Reducer::from(value[j]);
      const bool first = combine_equal_lanes<Reducer>(key[j], state);
      if (first && key[j] >= 0) deposit<Reducer>(view.out + key[j], state);
    }
  }
  copy_out(storage.state, storage.n_sorted, chunk.states + tile * std::int64_t{BinnedPolicy::tile});
  copy_out(storage.place, storage.n_sorted, chunk.places + tile * std::int64_t{BinnedPolicy::tile});
}

/// Combines the elements of a bin from part `part` of the tiles and adds them to the result. Collective: all threads of
/// the block.
template <class Reducer, class T, class Key>
__device__ void combine_bin(const ScatterView<T, Key>& view, const BinnedChunk<typename Reducer::State>& chunk, int bin,
                            int part, const Bins& bins) {
  using State = typename Reducer::State;
  constexpr int threads = BinnedPolicy::threads;
  constexpr int lanes = BinnedPolicy::lanes_per_segment;
  constexpr int in_flight = 5;                  // per lane: 80 elements of a segment
  auto* table = core::dynamic_shared<State>();  // [keys of the bin]
  const int t = static_cast<int>(threadIdx.x);
  const int n_keys = 1 << bins.shift;
  for (int i = t; i < n_keys; i += threads) table[i] = Reducer::identity();
  __syncthreads();  // the table is initialised before any thread adds to it

  const Segment* segments = chunk.segments + bin * std::int64_t{chunk.n_tiles};
  const int end_tile = chunk.n_tiles * (part + 1) / BinnedPolicy::blocks_per_bin;
  for (int tile = chunk.n_tiles * part / BinnedPolicy::blocks_per_bin + t / lanes; tile < end_tile;
       tile += threads / lanes) {
    const Segment segment = segments[tile];
    const State* states = chunk.states + tile * std::int64_t{BinnedPolicy::tile} + segment.first;
    const std::uint16_t* places = chunk.places + tile * std::int64_t{BinnedPolicy::tile} + segment.first;
    for (int i = t % lanes; i < segment.count; i += lanes * in_flight) {
      State state[in_flight];
      int place[in_flight];
#pragma unroll
      for (int j = 0; j < in_flight; ++j) {
        if (i + j * lanes < segment.count) state[j] = __ldcs(states + i + j * lanes);
        if (i + j * lanes < segment.count) place[j] = __ldcs(places + i + j * lanes);
      }
#pragma unroll
      for (int j = 0; j < in_flight; ++j) {
        if (i + j * lanes < segment.count) combine_atomically<Reducer>(&table[place[j]], state[j]);
      }
    }
  }
  __syncthreads();  // the bin's elements are in the table

  const std::int64_t first_key = std::int64_t{bin} << bins.shift;
  for (int i = t; i < n_keys && first_key + i < view.n_keys; i += threads) {
    if (table[i] != Reducer::identity()) deposit<Reducer>(view.out + first_key + i, table[i]);
  }
}

/// The first blocks combine the bins of one chunk, the others sort the tiles of the next.
template <class Reducer, class T, class Key>
__global__ void __launch_bounds__(BinnedPolicy::threads, BinnedPolicy::blocks_per_sm)
    scatter_binned(ScatterView<T, Key> view, Bins bins, BinnedChunk<typename Reducer::State> sorted,
                   BinnedChunk<typename Reducer::State> next) {
  constexpr int per_bin = BinnedPolicy::blocks_per_bin;
  const int n_combining = sorted.n_tiles > 0 ? bins.n * per_bin : 0;
  const int block = static_cast<int>(blockIdx.x);
  if (block < n_combining) {
    combine_bin<Reducer>(view, sorted, block / per_bin, block % per_bin, bins);
  } else {
    sort_tile<Reducer>(view, next, block - n_combining, bins);
  }
}

// ---- Host ----

/// Returns the bins for `n_keys` keys: about as many as wanted, unless that makes them too large.
inline Bins bins_for(std::int64_t n_keys) {
  int shift = 0;
  while ((1 << shift) < BinnedPolicy::max_bin_keys && (std::int64_t{BinnedPolicy::wanted_bins} << shift) < n_keys)
    ++shift;
  const auto n = static_cast<int>(std::max(ceil_div(n_keys, std::int64_t{1} << shift), std::int64_t{1}));
  return {n, shift, std::min(BinnedPolicy::tile * BinnedPolicy::overflow_factor / n, BinnedPolicy::tile / 2)};
}

inline bool can_be_binned(std::int64_t n_keys) {
  return n_keys <= std::int64_t{BinnedPolicy::max_bins} * BinnedPolicy::max_bin_keys;
}

/// Elements whose states have the size that bins are made for.
template <class T>
concept Binnable = sizeof(core::Accumulator<T>) == BinnedPolicy::state_bytes;

/// Returns the scratch for one chunk; two are in use at a time.
inline std::int64_t chunk_bytes(std::int64_t n_tiles, const Bins& bins) {
  return n_tiles * (BinnedPolicy::tile * (BinnedPolicy::state_bytes + std::int64_t{sizeof(std::uint16_t)}) +
                    ceil_div(bins.n * std::int64_t{sizeof(Segment)}, 16) * 16);
}

/// Returns the bytes of the stream's scratch that are left for chunks besides the results.
template <Binnable T>
std::int64_t scratch_for_chunks(const Stream& stream, std::int64_t n_keys) {
  return core::scratch_limit(stream) - result_bytes<T>(n_keys);
}

/// Returns the scratch for chunks of about equal size: as large as wanted, or as the scratch allows.
template <Binnable T>
std::int64_t binned_bytes(const Stream& stream, std::int64_t n, std::int64_t n_keys) {
  const Bins bins = bins_for(n_keys);
  const std::int64_t wanted = std::int64_t{stream.n_multiprocessors()} * core::tuned(tiles_per_sm);
  const std::int64_t possible = scratch_for_chunks<T>(stream, n_keys) / (2 * chunk_bytes(1, bins));
  const std::int64_t n_tiles = std::max(ceil_div(n, BinnedPolicy::tile), std::int64_t{1});
  const std::int64_t most = std::clamp(possible, std::int64_t{1}, wanted);
  return 2 * chunk_bytes(ceil_div(n_tiles, ceil_div(n_tiles, most)), bins);
}

/// Whether binning is faster: many elements, too many keys for private copies, and enough scratch.
template <Binnable T>
bool pays_to_bin(const Stream& stream, std::int64_t n, std::int64_t n_keys) {
  constexpr std::int64_t elements_per_key = 4;
  const bool is_large = n >= BinnedPolicy::least_elements && n >= elements_per_key * n_keys;
  const bool is_private = n_table_copies(n_keys, sizeof(core::Accumulator<T>), table_bytes(), 1) > 0;
  const std::int64_t least_tiles = std::int64_t{stream.n_multiprocessors()} * BinnedPolicy::least_tiles_per_sm;
  return is_large && !is_private && can_be_binned(n_keys) &&
         scratch_for_chunks<T>(stream, n_keys) >= 2 * chunk_bytes(least_tiles, bins_for(n_keys));
}

/// Combines the elements with view.out, which holds the identity, using the scratch of binned_bytes().
template <class Reducer, Binnable T, class Key>
void reduce_binned(const Stream& stream, const ScatterView<T, Key>& view, std::span<std::byte> scratch) {
  using State = typename Reducer::State;
  static_assert(sizeof(State) == BinnedPolicy::state_bytes);
  const Bins bins = bins_for(view.n_keys);
  const std::int64_t n_tiles = ceil_div(view.n, BinnedPolicy::tile);
  const std::int64_t bytes = std::ssize(scratch) / 2;  // per chunk
  const std::int64_t per_chunk = bytes / chunk_bytes(1, bins);
  constexpr auto shared_bytes =
      static_cast<std::int64_t>(std::max(sizeof(SortStorage<State>), BinnedPolicy::max_bin_keys * sizeof(State)));
  core::allow_shared(scatter_binned<Reducer, T, Key>, shared_bytes);

  BinnedChunk<State> sorted = {};
  for (std::int64_t first = 0; first < n_tiles + per_chunk; first += per_chunk) {
    const auto n_next = static_cast<int>(std::clamp(n_tiles - first, std::int64_t{0}, per_chunk));
    auto* states = reinterpret_cast<State*>(scratch.data() + first / per_chunk % 2 * bytes);
    auto* places = reinterpret_cast<std::uint16_t*>(states + per_chunk * BinnedPolicy::tile);
    auto* segments = reinterpret_cast<Segment*>(places + per_chunk * BinnedPolicy::tile);
    const BinnedChunk<State> next = {first, n_next, states, places, segments};
    const std::int64_t n_combining = sorted.n_tiles > 0 ? bins.n * BinnedPolicy::blocks_per_bin : 0;
    core::launch(scatter_binned<Reducer, T, Key>, n_combining + n_next, BinnedPolicy::threads, shared_bytes, stream,
                 view, bins, sorted, next);
    sorted = next;
  }
}

}  // namespace rafter::scatter_ladder::RAFTER_BACKEND
