// Reductions by keys in any order: every thread strides over the array and combines what it can in registers before it
// accesses shared data.
// Few keys: private copies of the result in shared memory, one flush per block. Bound by DRAM, if shared memory takes
// an update in 28 cycles of its multiprocessor (float32, int64 keys, H200).
// Many keys: atomics into the result, which stays in the L2. Bound by the rate of the L2's atomics.
// Few elements: a thread each, after the lanes of a warp have combined equal keys. Bound by latencies.
#pragma once

#include <algorithm>

#include "library/core/cuda/dynamic_shared.cuh"
#include "scatter/cuda/scatter_view.cuh"
#include "scatter/scatter_tunables.hpp"

namespace rafter::scatter_ladder::RAFTER_BACKEND {

struct FewKeysPolicy {
  // H200, `rafter run scatter`, 2^26 floats, 1, 1000, 20000 keys: 183, 189, 226 us; two blocks of 512: 183, 189, 229,
  // and 24000 keys at most.
  static constexpr int threads = 1024;       // of a block, for many elements
  static constexpr int least_threads = 256;  // for few, so that more multiprocessors have a block
  static constexpr int items = 8;            // elements in flight per thread
  static constexpr int blocks_per_sm = 1;
  static constexpr int table_bytes = 200 << 10;  // for a block's copies
  static constexpr int max_copies = 32;          // the lanes of a warp do not conflict
  static constexpr bool valid() { return threads % 32 == 0 && (max_copies & (max_copies - 1)) == 0; }
};
static_assert(FewKeysPolicy::valid());

struct ManyKeysPolicy {
  static constexpr int threads = 256;
  static constexpr int items = 8;
  static constexpr int blocks_per_sm = 4;
  static constexpr bool valid() { return threads % 32 == 0; }
};
static_assert(ManyKeysPolicy::valid());

/// The key that a thread keeps in registers: one that was frequent lately. Elements of that key cost no atomic, all
/// others one each.
template <class Reducer, class Slot>
struct FrequentKey {
  using State = typename Reducer::State;
  static constexpr int gain = 4;  // a key stays if one element in five has it
  static constexpr int most = 16;
  Slot slot = -1;
  State state = Reducer::identity();
  int weight = 0;

  template <class Deposit>
  __device__ void take(Slot other, State came, const Deposit& deposit_at) {
    if (other == slot) {
      state = Reducer::combine(state, came);
      weight = min(weight + gain, most);
      return;
    }
    const bool leaves = weight == 0;
    const Slot leaving = leaves ? slot : other;
    const State left = leaves ? state : came;
    slot = leaves ? other : slot;
    state = leaves ? came : state;
    weight = leaves ? 1 : weight - 1;
    if (leaving >= 0) deposit_at(leaving, left);
  }
};

/// Loads the thread's elements of the tile from `first` on: elements first + t, first + t + threads, ...; key -1 past
/// the end. Single loads are coalesced for any alignment of keys and values. Collective: all threads of the block.
template <int items, class T, class Key>
__device__ void load_tile(const ScatterView<T, Key>& view, std::int64_t first, int threads, Key (&key)[items],
                          core::Accumulator<T> (&value)[items]) {
  constexpr core::Accumulator<T> one = 1;
  const std::int64_t i = first + threadIdx.x;
  const Key* keys = view.keys + i;
  const T* values = view.values + i;
  const bool has_values = !std::is_same_v<T, std::int64_t> || view.values != nullptr;  // counts are sums of int64 ones
  if (first + threads * items <= view.n) {
#pragma unroll
    for (int j = 0; j < items; ++j) key[j] = __ldcs(keys + j * threads);
#pragma unroll
    for (int j = 0; j < items; ++j) value[j] = has_values ? core::widen(load_streaming(values + j * threads)) : one;
  } else {
#pragma unroll
    for (int j = 0; j < items; ++j) {
      const bool there = i + j * threads < view.n;
      key[j] = there ? keys[j * threads] : Key{-1};
      value[j] = there && has_values ? core::widen(values[j * threads]) : one;
    }
  }
}

/// Strides over the array and calls deposit_at(slot, state) for what a thread cannot keep; returns what it kept.
/// `threads` is the number of the block's threads. Collective: all threads of the grid.
template <int items, class Reducer, class Slot, class T, class Key, class Deposit>
__device__ FrequentKey<Reducer, Slot> combine_strided(const ScatterView<T, Key>& view, int threads,
                                                      const Deposit& deposit_at) {
  const std::int64_t tile = std::int64_t{threads} * items;
  FrequentKey<Reducer, Slot> frequent;
  for (std::int64_t first = blockIdx.x * tile; first < view.n; first += gridDim.x * tile) {
    Key key[items];
    core::Accumulator<T> value[items];
    load_tile(view, first, threads, key, value);
#pragma unroll
    for (int j = 0; j < items; ++j) {
      const Slot slot = view.has(key[j]) ? static_cast<Slot>(key[j]) : Slot{-1};
      frequent.take(slot, Reducer::from(value[j]), deposit_at);
    }
  }
  return frequent;
}

template <class Policy, class Reducer, class T, class Key>
__global__ void __launch_bounds__(Policy::threads, Policy::blocks_per_sm)
    scatter_few_keys(ScatterView<T, Key> view, int n_copies) {
  using State = typename Reducer::State;
  auto* table = core::dynamic_shared<State>();  // [n_keys, n_copies]
  const int t = static_cast<int>(threadIdx.x);
  const int threads = static_cast<int>(blockDim.x);
  const int n_slots = static_cast<int>(view.n_keys);
  for (int i = t; i < n_slots * n_copies; i += threads) table[i] = Reducer::identity();
  __syncthreads();  // the table is initialised before any thread adds to it

  State* mine = table + (t & (n_copies - 1));
  const auto deposit_at = [=](int slot, State state) { combine_atomically<Reducer>(mine + slot * n_copies, state); };
  const auto frequent = combine_strided<Policy::items, Reducer, int>(view, threads, deposit_at);
  if (frequent.slot >= 0) deposit_at(frequent.slot, frequent.state);
  __syncthreads();  // all elements are in the table

  for (int slot = t; slot < n_slots; slot += threads) {
    State total = Reducer::identity();
    for (int c = 0; c < n_copies; ++c) {  // adjacent threads start at different copies: different banks
      total = Reducer::combine(total, table[slot * n_copies + ((c + t) & (n_copies - 1))]);
    }
    if (total != Reducer::identity()) deposit<Reducer>(view.out + slot, total);
  }
}

template <class Policy, class Reducer, class T, class Key>
__global__ void __launch_bounds__(Policy::threads, Policy::blocks_per_sm) scatter_many_keys(ScatterView<T, Key> view) {
  using State = typename Reducer::State;
  auto* out = view.out;
  const auto frequent = combine_strided<Policy::items, Reducer, Key>(
      view, Policy::threads, [=](Key slot, State state) { deposit<Reducer>(out + slot, state); });
  State state = frequent.state;
  const bool first = combine_equal_lanes<Reducer>(frequent.slot, state);
  if (first && frequent.slot >= 0) deposit<Reducer>(out + frequent.slot, state);
}

/// One element per thread: few elements give every multiprocessor something to do only so.
template <class Policy, class Reducer, class T, class Key>
__global__ void __launch_bounds__(Policy::threads) scatter_few_elements(ScatterView<T, Key> view) {
  Key key[1];
  core::Accumulator<T> value[1];
  load_tile(view, blockIdx.x * std::int64_t{Policy::threads}, Policy::threads, key, value);
  const bool there = view.has(key[0]);
  const Key slot = there ? key[0] : Key{-1};
  auto state = there ? Reducer::from(value[0]) : Reducer::identity();
  const bool first = combine_equal_lanes<Reducer>(slot, state);
  if (first && there) deposit<Reducer>(view.out + slot, state);
}

/// Returns the number of copies of `n_keys` states that a block can have: a power of two, 0 if not even one fits in
/// `bytes`.
inline int n_table_copies(std::int64_t n_keys, std::int64_t state_bytes, std::int64_t bytes, int most) {
  if (n_keys > bytes / state_bytes) return 0;
  int n_copies = 1;
  while (2 * n_copies <= most && 2 * n_copies * n_keys * state_bytes <= bytes) n_copies *= 2;
  return n_copies;
}

template <class Policy>
int n_strided_blocks(const Stream& stream, std::int64_t n, int threads = Policy::threads) {
  const std::int64_t tile = std::int64_t{threads} * Policy::items;
  const std::int64_t resident = std::int64_t{stream.n_multiprocessors()} * Policy::blocks_per_sm;
  return static_cast<int>(std::min(ceil_div(n, tile), resident));
}

/// Returns the bytes that a block's copies may take on this GPU.
inline std::int64_t table_bytes() {
  constexpr std::int64_t reserved = 2 << 10;  // for the system, and a margin
  return std::min(std::int64_t{FewKeysPolicy::table_bytes}, core::shared_bytes_per_sm() - reserved);
}

/// Combines the elements with view.out, which holds the identity, in private copies if they fit.
template <class Reducer, class T, class Key>
void reduce_unsorted(const Stream& stream, const ScatterView<T, Key>& view) {
  using Few = FewKeysPolicy;
  using Many = ManyKeysPolicy;
  constexpr std::int64_t state_bytes = sizeof(typename Reducer::State);
  constexpr std::int64_t keys_per_element = 4;  // with fewer elements, flushing the copies is most of the work
  if (view.n < std::int64_t{stream.n_multiprocessors()} * core::tuned(single_per_sm)) {
    return core::launch(scatter_few_elements<Many, Reducer, T, Key>, ceil_div(view.n, Many::threads), Many::threads, 0,
                        stream, view);
  }
  int threads = Few::threads;
  while (threads > Few::least_threads && 2 * ceil_div(view.n, threads * Few::items) <= stream.n_multiprocessors())
    threads /= 2;
  // A block initialises and flushes all its copies, so they have at most as many states as it has elements.
  const int n_blocks = n_strided_blocks<Few>(stream, view.n, threads);
  const std::int64_t states = std::max(view.n_keys, view.n / std::max(n_blocks, 1));
  const int n_copies =
      n_table_copies(view.n_keys, state_bytes, std::min(table_bytes(), states * state_bytes), Few::max_copies);
  if (n_copies > 0 && view.n_keys <= view.n / keys_per_element) {
    const std::int64_t bytes = view.n_keys * n_copies * state_bytes;
    const auto kernel = scatter_few_keys<Few, Reducer, T, Key>;
    core::allow_shared(kernel, bytes);
    core::launch(kernel, n_blocks, threads, bytes, stream, view, n_copies);
  } else {
    core::launch(scatter_many_keys<Many, Reducer, T, Key>, n_strided_blocks<Many>(stream, view.n), Many::threads, 0,
                 stream, view);
  }
}

}  // namespace rafter::scatter_ladder::RAFTER_BACKEND
