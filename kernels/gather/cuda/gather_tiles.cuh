// A tile of a gather: each thread loads its indices with 16-byte loads, then all their elements, then stores them.
// Shared memory holds only the block's tally of bad indices.
#pragma once

#include <algorithm>
#include <type_traits>

#include "gather/cuda/gather_report.cuh"
#include "library/core/cuda/vector.cuh"
#include "library/ptx/cache_hints.cuh"

namespace rafter::gather_ladder::RAFTER_BACKEND {

// ---- Policies for bad indices. resolve() returns the index to load from, or a negative number for none. ----

struct Report {
  static constexpr bool reports = true;
  template <class I>
  static __device__ I resolve(I index, std::int64_t n_table) {
    return in_table(index, n_table) ? index : I{-1};
  }
};

struct Zero {
  static constexpr bool reports = false;
  template <class I>
  static __device__ I resolve(I index, std::int64_t n_table) {
    return in_table(index, n_table) ? index : I{-1};
  }
};

struct Clamp {
  static constexpr bool reports = false;
  template <class I>
  static __device__ I resolve(I index, std::int64_t n_table) {
    return index < 0 ? I{0} : in_table(index, n_table) ? index : static_cast<I>(n_table - 1);
  }
};

struct Trust {
  static constexpr bool reports = false;
  template <class I>
  static __device__ I resolve(I index, std::int64_t) {
    return index;
  }
};

// ---- The elements of the indices of one 16-byte load ----

template <class T, int N>
struct alignas(N * sizeof(T) < 16 ? N * sizeof(T) : 16) Group {
  T lane[N];
};

/// Stores a group whose outputs are aligned, in one or two accesses.
template <class T, int N>
__device__ void store_wide(T* out, const Group<T, N>& value) {
  using Piece = Group<T, (N * sizeof(T) > 16 ? 16 / sizeof(T) : N)>;
  constexpr int n_pieces = static_cast<int>(sizeof value / sizeof(Piece));
  constexpr int per_piece = N / n_pieces;
#pragma unroll
  for (int p = 0; p < n_pieces; ++p) {
    Piece piece;
#pragma unroll
    for (int j = 0; j < per_piece; ++j) piece.lane[j] = value.lane[p * per_piece + j];
    ptx::store_streaming(reinterpret_cast<Piece*>(out) + p, piece);
  }
}

/// Stores a group at once if `wide`; otherwise, or if an index is bad, one by one.
template <class Check, class T, class I, int N>
__device__ void store_group(T* out, const Group<T, N>& value, const Group<I, N>& from, bool wide) {
  if constexpr (Check::reports) {
#pragma unroll
    for (int j = 0; j < N; ++j) wide = wide && from.lane[j] >= 0;
  }
  if (wide) return store_wide(out, value);
#pragma unroll
  for (int j = 0; j < N; ++j) {
    if (!Check::reports || from.lane[j] >= 0) out[j] = value.lane[j];
  }
}

/// Gathers a single index: those before the first and after the last aligned group.
template <class Check, class T, class I>
__device__ void gather_one(const GatherView<T, I>& args, std::int64_t i, BadTally& bad) {
  const I from = Check::resolve(args.indices[i], args.n_table);
  if (std::is_same_v<Check, Trust> || from >= 0) {
    args.out[i] = args.table[from];
  } else if (Check::reports) {
    bad.add(i, args.n);
  } else {
    args.out[i] = T{0};
  }
}

/// The division of the indices into groups, and whether the outputs of a group can be stored at once.
struct GatherLayout {
  int head;           // indices before the first aligned group
  std::int64_t body;  // groups
  int tail;           // indices after the last group
  bool wide;          // the outputs of the first group are aligned, so all are
};

template <class T, class I>
GatherLayout layout_of(const GatherView<T, I>& args) {
  constexpr int width = core::Vector<I>::size;
  const auto past = static_cast<int>(reinterpret_cast<std::uintptr_t>(args.indices) / sizeof(I) % width);
  const std::int64_t head = std::min<std::int64_t>((width - past) % width, args.n);
  const auto out_address = reinterpret_cast<std::uintptr_t>(args.out + head);
  return {
      .head = static_cast<int>(head),
      .body = (args.n - head) / width,
      .tail = static_cast<int>((args.n - head) % width),
      .wide = out_address % alignof(Group<T, width>) == 0,
  };
}

/// Gathers thread `t`'s part of a tile of groups; with tile 0 also the indices before and after all groups.
template <class Policy, class Check, class T, class I>
__device__ void gather_tile(const GatherView<T, I>& args, const GatherLayout& layout, std::int64_t tile, int t,
                            BadTally& bad) {
  constexpr int width = core::Vector<I>::size;
  constexpr int n_groups = Policy::indices / width;  // per thread
  const std::int64_t first = tile * (std::int64_t{Policy::threads} * n_groups) + t;
  const auto* indices = reinterpret_cast<const Group<I, width>*>(args.indices + layout.head);
  T* out = args.out + layout.head;

  Group<I, width> from[n_groups];
#pragma unroll
  for (int k = 0; k < n_groups; ++k) {
    if (first + k * Policy::threads < layout.body) from[k] = ptx::load_streaming(indices + first + k * Policy::threads);
  }
  Group<T, width> value[n_groups];
#pragma unroll
  for (int k = 0; k < n_groups; ++k) {
    if (first + k * Policy::threads >= layout.body) break;
#pragma unroll
    for (int j = 0; j < width; ++j) {
      from[k].lane[j] = Check::resolve(from[k].lane[j], args.n_table);
      value[k].lane[j] = T{0};
      if (std::is_same_v<Check, Trust> || from[k].lane[j] >= 0)
        value[k].lane[j] = Policy::load(args.table + from[k].lane[j]);
    }
  }
#pragma unroll
  for (int k = 0; k < n_groups; ++k) {
    const std::int64_t group = first + k * Policy::threads;
    if (group >= layout.body) break;
    store_group<Check>(out + group * width, value[k], from[k], layout.wide);
    if constexpr (Check::reports) {
#pragma unroll
      for (int j = 0; j < width; ++j) {
        if (from[k].lane[j] < 0) bad.add(layout.head + group * width + j, args.n);
      }
    }
  }
  if (tile > 0) return;
  if (t < layout.head) gather_one<Check>(args, t, bad);
  if (t < layout.tail) gather_one<Check>(args, args.n - 1 - t, bad);
}

template <class Policy, class Check, class T, class I>
__global__ void __launch_bounds__(Policy::threads, Policy::blocks_per_sm)
    gather_streamed(GatherView<T, I> args, GatherLayout layout, ReportArgs report) {
  __shared__ BadTally block_tally;
  BadTally bad{0, 0};
  for (int round = 0; round < Policy::rounds; ++round) {
    const std::int64_t tile = blockIdx.x * std::int64_t{Policy::rounds} + round;
    gather_tile<Policy, Check>(args, layout, tile, static_cast<int>(threadIdx.x), bad);
  }
  if constexpr (Check::reports) finish_report(bad, block_tally, args.n, report);
}

}  // namespace rafter::gather_ladder::RAFTER_BACKEND
