// The view of the arrays that scatter's kernels take, and their loads and stores: plain stores to results of a single
// owner, atomics otherwise.
#pragma once

#include <bit>
#include <cstdint>

#include "library/core/cuda/launch.cuh"
#include "library/core/cuda/reduce.cuh"
#include "scatter/scatter_reduction.hpp"
#include "scatter/scatter_rung.hpp"

namespace rafter::scatter_ladder::RAFTER_BACKEND {

template <class T, class Key>
struct ScatterView {
  const Key* keys;            // [n]
  const T* values;            // [n], or null: all 1
  const std::int64_t* order;  // [n]: the value of keys[i] is values[order[i]]; or null: values[i]
  std::int64_t n;
  core::Accumulator<T>* out;  // [n_keys]
  std::int64_t n_keys;

  __device__ bool has(Key key) const { return key >= 0 && static_cast<std::int64_t>(key) < n_keys; }
  __device__ std::int64_t element(std::int64_t i) const { return order != nullptr ? order[i] : i; }
  /// Returns an element in the type of the arithmetic.
  __device__ auto value(std::int64_t which) const { return core::widen(values[which]); }
};

template <class T, class Key>
ScatterView<T, Key> view_of(const ScatterArgs<T, Key>& args, core::Accumulator<T>* out) {
  return {args.keys.data(), args.values.data(), args.order, args.n(), out, args.n_keys()};
}

/// Loads an element that is not read again.
template <class T>
__device__ T load_streaming(const T* at) {
  if constexpr (std::is_arithmetic_v<T>) {
    return __ldcs(at);
  } else {
    T value;
    value.bits = __ldcs(&at->bits);
    return value;
  }
}

// The types that CUDA's integer atomics take.
template <std::size_t Bytes>
using AtomicUnsigned = std::conditional_t<Bytes == 4, unsigned, unsigned long long>;
template <std::size_t Bytes>
using AtomicSigned = std::conditional_t<Bytes == 4, int, long long>;

/// Replaces *state by combine(*state, other), atomically.
template <class Reducer>
__device__ void combine_atomically(typename Reducer::State* state, typename Reducer::State other) {
  using State = typename Reducer::State;
  if constexpr (std::is_floating_point_v<State>) {
    atomicAdd(state, other);
  } else {
    constexpr std::size_t bytes = sizeof(State);
    using Word = std::conditional_t<std::is_signed_v<State>, AtomicSigned<bytes>, AtomicUnsigned<bytes>>;
    auto* word = reinterpret_cast<Word*>(state);
    if constexpr (Reducer::reduction == Reduction::sum) atomicAdd(word, static_cast<Word>(other));
    if constexpr (Reducer::reduction == Reduction::min) atomicMin(word, static_cast<Word>(other));
    if constexpr (Reducer::reduction == Reduction::max) atomicMax(word, static_cast<Word>(other));
  }
}

/// Replaces *out by the element of combine(*out, state), atomically. Non-negative floats are ordered like signed
/// integers with the same bits, negative ones in reverse order like unsigned integers, so one native atomic finds the
/// extreme.
template <class Reducer>
__device__ void deposit(typename Reducer::Element* out, typename Reducer::State state) {
  using T = typename Reducer::Element;
  if constexpr (std::is_floating_point_v<T> && Reducer::reduction != Reduction::sum) {
    using Unsigned = AtomicUnsigned<sizeof(T)>;
    using Signed = AtomicSigned<sizeof(T)>;
    const auto bits = std::bit_cast<Unsigned>(Reducer::value(state));
    const bool negative = static_cast<Signed>(bits) < 0;
    if constexpr (Reducer::reduction == Reduction::max) {
      negative ? static_cast<void>(atomicMin(reinterpret_cast<Unsigned*>(out), bits))
               : static_cast<void>(atomicMax(reinterpret_cast<Signed*>(out), static_cast<Signed>(bits)));
    } else {
      negative ? static_cast<void>(atomicMax(reinterpret_cast<Unsigned*>(out), bits))
               : static_cast<void>(atomicMin(reinterpret_cast<Signed*>(out), static_cast<Signed>(bits)));
    }
  } else {
    combine_atomically<Reducer>(reinterpret_cast<typename Reducer::State*>(out), state);
  }
}

/// Combines the states of lanes with equal keys; returns true in one lane per key, which has their total. Pairs, then
/// pairs of pairs: five rounds if all keys are equal, none if all differ. Collective: all lanes of a warp.
template <class Reducer, class Key>
__device__ bool combine_equal_lanes(Key key, typename Reducer::State& state) {
  const int lane = static_cast<int>(threadIdx.x) % core::warp_size;
  const unsigned peers = __match_any_sync(core::full_warp, key);
  unsigned rank = static_cast<unsigned>(__popc(peers & ((1u << lane) - 1)));  // among the lanes of this key
  const bool first = rank == 0;
  unsigned above =
      peers &
      (lane == core::warp_size - 1 ? 0u : ~0u << (lane + 1));  // lanes of this key that are still to be combined
  while (__any_sync(core::full_warp, above != 0)) {
    const int next = __ffs(static_cast<int>(above));
    const auto other = __shfl_sync(core::full_warp, state, next == 0 ? lane : next - 1);
    if (next != 0) state = Reducer::combine(state, other);
    above &= __ballot_sync(core::full_warp, (rank & 1) == 0);  // odd ones have just been combined
    rank >>= 1;
  }
  return first;
}

}  // namespace rafter::scatter_ladder::RAFTER_BACKEND
