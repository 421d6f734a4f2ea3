// Reductions by sorted keys: a segmented reduction without atomics, with the same bits every time. A tile of 4096
// elements writes the results of the runs of equal keys that begin and end inside it, and outputs its first and its
// last run as two partial results with their keys. Those of all tiles are again sorted keys, 2048 times fewer, and are
// reduced in the same way until they fit in one tile.
// Bound by DRAM: every byte is read once.
#pragma once

#include "library/core/cuda/vector.cuh"
#include "scatter/cuda/scatter_view.cuh"

namespace rafter::scatter_ladder::RAFTER_BACKEND {

struct SortedPolicy {
  static constexpr int threads = 256;
  static constexpr int items = 16;  // adjacent elements that one thread combines
  // H200, 2^26 floats, 10^6 int32 keys: 135 us; 139 with 3 blocks, 146 with 2 of 512 threads.
  static constexpr int blocks_per_sm = 4;
  static constexpr int tile = threads * items;
  static constexpr int n_warps = threads / core::warp_size;
  static constexpr bool valid() { return threads % 32 == 0 && items % 4 == 0; }
};
static_assert(SortedPolicy::valid());

/// The destination of the first and last runs of the tiles; null on the last level, whose only tile writes them itself.
template <class T, class Key>
struct Partials {
  Key* keys;  // [n_tiles, 2]
  T* values;  // [n_tiles, 2]
};

/// A row of the exchange of a warp's elements from lane i % 32 to lane i / Items. Rows are one 16-byte access longer
/// than needed, so that lanes that load together start in different banks.
template <int Items, class T>
struct ExchangeRow {
  static constexpr int length = Items + core::Vector<T>::size;
};

/// Moves a warp's elements from lane i % 32 to lane i / Items. `storage` belongs to the warp; the first __syncwarp()
/// orders a second exchange after the reads of the first. Collective: all lanes of a warp.
template <int Items, class T>
__device__ void to_neighbours(T (&x)[Items], void* storage) {
  constexpr int length = ExchangeRow<Items, T>::length;
  const int lane = static_cast<int>(threadIdx.x) % core::warp_size;
  T* rows = static_cast<T*>(storage);  // [32, length]
  __syncwarp();                        // the reads of the previous exchange are complete
#pragma unroll
  for (int j = 0; j < Items; ++j) {
    const int i = j * core::warp_size + lane;
    rows[i / Items * length + i % Items] = x[j];
  }
  __syncwarp();  // all rows are complete
#pragma unroll
  for (int v = 0; v < Items / core::Vector<T>::size; ++v) {
    const auto part = reinterpret_cast<const core::Vector<T>*>(rows + lane * length)[v];
#pragma unroll
    for (int k = 0; k < core::Vector<T>::size; ++k) x[v * core::Vector<T>::size + k] = part.lane[k];
  }
}

template <class Policy, class Reducer, class Key>
struct SortedStorage {
  static constexpr int widest = sizeof(Key) > sizeof(typename Reducer::Element) ? sizeof(Key)
                                                                                : sizeof(typename Reducer::Element);
  static constexpr int exchange_bytes = core::warp_size * (Policy::items * widest + 16);
  alignas(16) unsigned char exchange[Policy::n_warps][exchange_bytes];
  typename Reducer::State state[Policy::n_warps];  // of each warp's last run
  int has_head[Policy::n_warps];                   // whether a run begins in the warp
};

/// Loads the warp's elements from `first` on, Items adjacent ones per lane. Past the end the last key is repeated with
/// the identity, which is representable in T. Collective: all lanes of a warp.
template <class Policy, class Reducer, class T, class Key>
__device__ void load_neighbours(const ScatterView<T, Key>& view, std::int64_t first, void* storage,
                                Key (&key)[Policy::items], T (&value)[Policy::items]) {
  const std::int64_t mine = first + threadIdx.x % core::warp_size;
  if (first + Policy::items * core::warp_size <= view.n && view.order == nullptr) {
#pragma unroll
    for (int j = 0; j < Policy::items; ++j) key[j] = __ldcs(view.keys + mine + j * core::warp_size);
#pragma unroll
    for (int j = 0; j < Policy::items; ++j) value[j] = load_streaming(view.values + mine + j * core::warp_size);
  } else {
#pragma unroll
    for (int j = 0; j < Policy::items; ++j) {
      const std::int64_t i = mine + j * core::warp_size;
      key[j] = view.keys[min(i, view.n - 1)];
      value[j] = i < view.n ? view.values[view.element(i)] : core::round_to<T>(Reducer::value(Reducer::identity()));
    }
  }
  to_neighbours(key, storage);
  to_neighbours(value, storage);
}

/// The runs in one thread's elements; `previous` is the key before them.
template <class Reducer, class Key>
struct Runs {
  bool has_head = false;                                      // whether a run begins here
  Key first_key{};                                            // of the incoming run, if it ends here
  typename Reducer::State first_state = Reducer::identity();  // the incoming run's part
  typename Reducer::State last_state = Reducer::identity();   // the outgoing run's part

  /// Writes the runs that begin and end here.
  template <int Items, class T>
  __device__ Runs(const Key (&key)[Items], const T (&value)[Items], Key previous, const ScatterView<T, Key>& view) {
#pragma unroll
    for (int j = 0; j < Items; ++j) {
      if (key[j] != previous) {
        if (!has_head) {
          first_key = previous;
          first_state = last_state;
        } else if (view.has(previous)) {
          view.out[previous] = Reducer::value(last_state);
        }
        has_head = true;
        last_state = Reducer::identity();
        previous = key[j];
      }
      last_state = Reducer::combine(last_state, Reducer::from(core::widen(value[j])));
    }
  }
};

/// Combines each lane's last run with its parts in the lanes before. Collective: all lanes of a warp.
template <class Reducer>
__device__ typename Reducer::State scan_runs(typename Reducer::State state, unsigned heads) {
  const int lane = static_cast<int>(threadIdx.x) % core::warp_size;
  const unsigned up_to_here = heads & (~0u >> (core::warp_size - 1 - lane));
  const int start = up_to_here != 0 ? core::warp_size - 1 - __clz(static_cast<int>(up_to_here)) : 0;
#pragma unroll
  for (int distance = 1; distance < core::warp_size; distance *= 2) {
    const auto before = __shfl_up_sync(core::full_warp, state, distance);
    if (lane - distance >= start) state = Reducer::combine(before, state);
  }
  return state;
}

template <class Policy, class Reducer, class T, class Key>
__global__ void __launch_bounds__(Policy::threads, Policy::blocks_per_sm)
    scatter_sorted(ScatterView<T, Key> view, Partials<typename Reducer::Element, Key> partials) {
  using State = typename Reducer::State;
  __shared__ SortedStorage<Policy, Reducer, Key> storage;
  const int lane = static_cast<int>(threadIdx.x) % core::warp_size;
  const int warp = static_cast<int>(threadIdx.x) / core::warp_size;
  const std::int64_t first = blockIdx.x * std::int64_t{Policy::tile} + warp * (Policy::items * core::warp_size);

  Key key[Policy::items];
  T value[Policy::items];
  const Key before_warp = warp > 0 ? view.keys[min(first, view.n) - 1] : Key{};
  load_neighbours<Policy, Reducer>(view, first, storage.exchange[warp], key, value);
  Key previous = __shfl_up_sync(core::full_warp, key[Policy::items - 1], 1);
  if (lane == 0) previous = warp > 0 ? before_warp : key[0];  // a tile's first run may begin before the tile

  const Runs<Reducer, Key> runs(key, value, previous, view);
  const unsigned heads = __ballot_sync(core::full_warp, runs.has_head);
  const State up_to_here = scan_runs<Reducer>(runs.last_state, heads);
  State coming = __shfl_up_sync(core::full_warp, up_to_here, 1);
  if (lane == 0) coming = Reducer::identity();
  if (lane == core::warp_size - 1) {
    storage.state[warp] = up_to_here;
    storage.has_head[warp] = heads != 0 ? 1 : 0;
  }
  __syncthreads();  // storage has the outgoing runs of all warps

  State into_warp = Reducer::identity();
  bool tile_open = true;  // no run begins in the tile before this warp
  for (int w = 0; w < warp; ++w) {
    const bool begins = storage.has_head[w] != 0;
    into_warp = begins ? storage.state[w] : Reducer::combine(into_warp, storage.state[w]);
    tile_open = tile_open && !begins;
  }
  const bool warp_open = (heads & ((1u << lane) - 1)) == 0;
  const auto put = [&](int which, Key of, State state, bool is_result) {
    if (partials.keys != nullptr) {
      partials.keys[2 * std::int64_t{blockIdx.x} + which] = of;
      partials.values[2 * std::int64_t{blockIdx.x} + which] = Reducer::value(state);
    } else if (is_result && view.has(of)) {
      view.out[of] = Reducer::value(state);
    }
  };
  if (runs.has_head) {
    const State total = Reducer::combine(warp_open ? Reducer::combine(into_warp, coming) : coming, runs.first_state);
    if (warp_open && tile_open) {
      put(0, runs.first_key, total, true);
    } else if (view.has(runs.first_key)) {
      view.out[runs.first_key] = Reducer::value(total);
    }
  }
  if (threadIdx.x == Policy::threads - 1) {
    const Key last = key[Policy::items - 1];
    if (heads == 0 && tile_open) put(0, last, Reducer::identity(), false);  // one run spans the whole tile
    put(1, last, heads == 0 ? Reducer::combine(into_warp, up_to_here) : up_to_here, true);
  }
}

/// Returns the number of (key, value) pairs of scratch for all levels: an even number each, so that what follows is
/// aligned.
template <class Policy>
std::int64_t n_sorted_partials(std::int64_t n) {
  std::int64_t n_partials = 0;
  for (; n > Policy::tile; n = 2 * ceil_div(n, Policy::tile)) n_partials += 2 * ceil_div(n, Policy::tile);
  return n_partials;
}

/// Reduces into view.out, which holds the identity for keys without elements.
template <class Policy, class Reducer, class T, class Key>
void reduce_sorted(const Stream& stream, const ScatterView<T, Key>& view, std::byte* scratch) {
  using Wide = typename Reducer::Element;
  if (view.n == 0) return;
  const std::int64_t n_tiles = ceil_div(view.n, Policy::tile);
  const bool is_last = n_tiles == 1;
  auto* keys = reinterpret_cast<Key*>(scratch);
  auto* values = reinterpret_cast<Wide*>(keys + 2 * n_tiles);
  const Partials<Wide, Key> partials = {is_last ? nullptr : keys, is_last ? nullptr : values};
  core::launch(scatter_sorted<Policy, Reducer, T, Key>, n_tiles, Policy::threads, 0, stream, view, partials);
  if (is_last) return;
  const ScatterView<Wide, Key> next = {keys, values, nullptr, 2 * n_tiles, view.out, view.n_keys};
  reduce_sorted<Policy, Reducer>(stream, next, reinterpret_cast<std::byte*>(values + 2 * n_tiles));
}

}  // namespace rafter::scatter_ladder::RAFTER_BACKEND
