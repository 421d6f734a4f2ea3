// The sweep: cache blocking of the table, for tables larger than the L2. Every multiprocessor keeps about ten thousand
// indices in registers, and all of them sweep over the table together, region by region: a region's sectors are fetched
// from DRAM once and then hit the L2. The indices of a thread form groups. A group is loaded, processed against every
// region once, and stored; the groups are staggered, so that the loads of one overlap the elements of the others.
// Bound by sectors between L2 and multiprocessors, 32 bytes per element of 4, plus the sweeps over the table.
#pragma once

#include <algorithm>

#include "gather/cuda/gather_tiles.cuh"
#include "gather/gather_tunables.hpp"
#include "library/core/cuda/policy.cuh"
#include "library/core/stream/scratch.hpp"
#include "library/ptx/memory_order.cuh"

namespace rafter::gather_ladder::RAFTER_BACKEND {

// H200, kernels alone in a loop: NOTES.md. The sizes that depend on the L2 are in gather_tunables.hpp.
struct SweepPolicy {
  static constexpr int threads = 512;
  static constexpr int n_groups = 4;
  /// The bytes of registers per thread and group. With 96, nothing that is used often is spilled.
  template <class Slot>
  static constexpr int group_bytes = sizeof(Slot) == 4 ? 96 : 64;
  static constexpr unsigned lead = 1;  // regions that a block may be ahead of the slowest block
  static constexpr int patience = 64;  // polls of the other blocks' progress, about 50 us, before giving up
  static constexpr bool valid() { return threads % 32 == 0 && n_groups > 1; }
};
static_assert(SweepPolicy::valid());

/// The counters that keep the blocks together: each counts the regions it has finished. They only save time: a block
/// never waits longer than `patience` polls.
struct SweepPace {
  unsigned* n_done;  // [1], zero before and after
  unsigned* n_left;  // [1], zero before and after
};

struct SweepShape {
  int regions_per_turn;      // a group is processed against n_groups times as many
  std::int64_t region_size;  // elements
};

/// Waits until all blocks have finished all but the last `lead` of the regions before `phase`, or until patience ends.
/// Collective: all threads of the block.
template <class Policy>
__device__ void keep_pace(const SweepPace& pace, unsigned phase) {
  if (phase > Policy::lead && threadIdx.x == 0) {
    const unsigned wanted = (phase - Policy::lead) * gridDim.x;
#pragma unroll 1
    for (int look = 0; look < Policy::patience; ++look) {
      if (static_cast<int>(ptx::load_relaxed(pace.n_done) - wanted) >= 0) break;
      __nanosleep(100);
    }
  }
  __syncthreads();  // all warps start the region together
}

/// The register that holds an element of the table or an index into it.
template <class T>
using SweepSlot = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;

/// The slots of a group: each first holds an index, then the element at that index. The policy for bad indices is a
/// run-time argument. Trusted indices have a separate kernel: they are not used before their first region, so no thread
/// stalls on their loads.
template <class T, class I, bool Trusted>
struct SweepGroup {
  using Slot = SweepSlot<T>;
  static constexpr int width = core::Vector<I>::size;
  static constexpr int n_slots = SweepPolicy::group_bytes<Slot> / static_cast<int>(sizeof(Slot));
  static constexpr int n_vectors = n_slots / width;
  static constexpr unsigned all = n_slots == 32 ? ~0u : (1u << n_slots) - 1;
  static constexpr Slot nowhere = ~Slot{0};  // in no region: the slot of a reported index is never done

  Slot slot[n_slots];
  unsigned done = all;  // bit mask of the slots that hold their element or need none

  /// Loads indices; the thread's first vector is `first`. Past the end the last vector is loaded again and ignored.
  /// There are no branches here: a load behind a branch would wait for the previous one.
  __device__ void load(const GatherView<T, I>& args, const GatherLayout& layout, std::int64_t first,
                       OutOfRange::Kind kind) {
    constexpr int threads = SweepPolicy::threads;
    const auto n_there = static_cast<int>(min(layout.body - first, std::int64_t{n_vectors} * threads));
    const int last_there = max(n_there - 1, 0);
    const auto* vectors = reinterpret_cast<const Group<I, width>*>(args.indices + layout.head);
    const auto* mine = vectors + (n_there > 0 ? first : layout.body - 1);
    const auto limit = static_cast<unsigned long long>(args.n_table);
    const Slot too_small = kind == OutOfRange::Kind::report ? nowhere : Slot{0};
    const Slot too_large = kind == OutOfRange::Kind::clamp ? static_cast<Slot>(args.n_table - 1) : too_small;
    const unsigned outside_done = kind == OutOfRange::Kind::zero ? all : 0;
    done = 0;
#pragma unroll
    for (int k = 0; k < n_vectors; ++k) {
      constexpr unsigned vector_bits = (1u << width) - 1;
      const Group<I, width> from = ptx::load_streaming(mine + min(k * threads, last_there));
      if (k * threads >= n_there) done |= vector_bits << (k * width);
#pragma unroll
      for (int j = 0; j < width; ++j) {
        const auto index = static_cast<long long>(from.lane[j]);
        const bool good = Trusted || static_cast<unsigned long long>(index) < limit;
        slot[k * width + j] = good ? static_cast<Slot>(index) : index < 0 ? too_small : too_large;
        if (!good) done |= outside_done & (1u << (k * width + j));
      }
    }
  }

  /// Replaces the indices into one region by their elements.
  __device__ void meet(const T* table, Slot region_first, Slot region_size) {
    unsigned now = 0;
#pragma unroll
    for (int i = 0; i < n_slots; ++i) {
      const unsigned bit = 1u << i;
      if (slot[i] - region_first < region_size && (done & bit) == 0) {
        slot[i] = __ldcg(table + slot[i]);
        now |= bit;
      }
    }
    done |= now;
  }

  __device__ void store(const GatherView<T, I>& args, const GatherLayout& layout, std::int64_t first,
                        BadTally& block) const {
    const bool all_there = first + (n_vectors - 1) * SweepPolicy::threads < layout.body;
    if ((Trusted || done == all) && layout.wide && all_there)
      return store_whole(args.out + layout.head + first * width);
#pragma unroll
    for (int i = 0; i < n_slots; ++i) {
      const std::int64_t vector = first + i / width * SweepPolicy::threads;
      if (vector >= layout.body) break;
      const std::int64_t to = layout.head + vector * width + i % width;
      if ((done >> i & 1) != 0) {
        args.out[to] = static_cast<T>(slot[i]);
      } else {
        block.add_atomically({1, static_cast<unsigned long long>(args.n - to)});
      }
    }
  }

  __device__ void store_whole(T* out) const {
#pragma unroll
    for (int k = 0; k < n_vectors; ++k) {
      Group<T, width> value;
#pragma unroll
      for (int j = 0; j < width; ++j) value.lane[j] = static_cast<T>(slot[k * width + j]);
      store_wide(out + k * SweepPolicy::threads * width, value);
    }
  }
};

/// Gathers a single index with the given policy.
template <class T, class I>
__device__ void gather_one(const GatherView<T, I>& args, std::int64_t i, OutOfRange::Kind kind, BadTally& tally) {
  switch (kind) {
    case OutOfRange::Kind::report: return gather_one<Report>(args, i, tally);
    case OutOfRange::Kind::clamp: return gather_one<Clamp>(args, i, tally);
    case OutOfRange::Kind::zero: return gather_one<Zero>(args, i, tally);
    case OutOfRange::Kind::trust: return gather_one<Trust>(args, i, tally);
  }
}

template <class T, class I, bool Trusted>
__global__ void __launch_bounds__(SweepPolicy::threads, 1)
    gather_sweep(GatherView<T, I> args, GatherLayout layout, SweepShape shape, SweepPace pace, OutOfRange::Kind kind,
                 ReportArgs report) {
  using Group = SweepGroup<T, I, Trusted>;
  constexpr int n_groups = SweepPolicy::n_groups;
  constexpr int vectors_per_tile = SweepPolicy::threads * Group::n_vectors;
  __shared__ BadTally block_tally;
  const int t = static_cast<int>(threadIdx.x);
  // In each turn every block loads its next group, so that any number of indices is spread over all blocks.
  const std::int64_t per_turn = std::int64_t{gridDim.x} * vectors_per_tile;
  const std::int64_t n_loads = (layout.body + per_turn - 1) / per_turn;
  const std::int64_t mine = std::int64_t{blockIdx.x} * vectors_per_tile + t;

  if (t == 0) block_tally = {0, 0};
  __syncthreads();  // block_tally is zero before any thread adds to it
  Group group[n_groups];
  unsigned phase = 0;
  for (std::int64_t round = 0; round < n_loads + n_groups; round += n_groups) {
#pragma unroll
    for (int g = 0; g < n_groups; ++g) {
      const std::int64_t turn = round + g;
      if (turn >= n_groups && turn < n_loads + n_groups)
        group[g].store(args, layout, mine + (turn - n_groups) * per_turn, block_tally);
      if (turn < n_loads) group[g].load(args, layout, mine + turn * per_turn, kind);
      if (turn >= n_loads) group[g].done = Group::all;
      for (int r = 0; r < shape.regions_per_turn && turn < n_loads + n_groups - 1; ++r, ++phase) {
        const auto region_first =
            static_cast<typename Group::Slot>((g * shape.regions_per_turn + r) * shape.region_size);
        keep_pace<SweepPolicy>(pace, phase);
#pragma unroll
        for (int other = 1; other <= n_groups; ++other) {  // the group just loaded comes last
          group[(g + other) % n_groups].meet(args.table, region_first,
                                             static_cast<typename Group::Slot>(shape.region_size));
        }
        if (t == 0) atomicAdd(pace.n_done, 1u);
      }
    }
  }
  if (blockIdx.x == 0) {
    BadTally tally{0, 0};
    if (t < layout.head) gather_one(args, t, kind, tally);
    if (t < layout.tail) gather_one(args, args.n - 1 - t, kind, tally);
    if (tally.count > 0) block_tally.add_atomically(tally);
  }
  __syncthreads();  // the block's tally is complete
  if (t > 0) return;
  if (core::take_last_ticket(pace.n_left, gridDim.x)) *pace.n_done = 0;
  if (kind == OutOfRange::Kind::report) publish_report(block_tally, args.n, report);
}

inline SweepPace sweep_pace(const Stream& stream) {
  unsigned* tickets = core::tickets(stream) + 16;  // the report uses the first ones
  return {tickets, tickets + 1};
}

template <class T>
SweepShape sweep_shape(std::int64_t n_table) {
  const std::int64_t turn_bytes = (std::int64_t{core::tuned(region_mib)} << 20) * SweepPolicy::n_groups;
  const std::int64_t per_turn = std::max(ceil_div(n_table * std::int64_t{sizeof(T)}, turn_bytes), std::int64_t{1});
  return {static_cast<int>(per_turn), std::max(ceil_div(n_table, per_turn * SweepPolicy::n_groups), std::int64_t{1})};
}

template <class T, class I>
void launch_sweep(const Stream& stream, const GatherView<T, I>& args, OutOfRange out_of_range) {
  const auto kernel =
      out_of_range.kind() == OutOfRange::Kind::trust ? gather_sweep<T, I, true> : gather_sweep<T, I, false>;
  core::launch(kernel, stream.n_multiprocessors(), SweepPolicy::threads, 0, stream, args, layout_of(args),
               sweep_shape<T>(args.n_table), sweep_pace(stream), out_of_range.kind(),
               report_args(stream, out_of_range.bad()));
}

/// Returns the size of the largest table that is swept.
inline std::int64_t most_swept_bytes() { return std::int64_t{core::tuned(sweep_to_mib)} << 20; }

/// Whether the sweep is faster than the streaming gather. It reads the whole table, which few indices do not repay
/// (NOTES.md).
template <class T>
bool pays_to_sweep(std::int64_t n_table, std::int64_t n) {
  const std::int64_t bytes = n_table * static_cast<std::int64_t>(sizeof(T));
  return bytes >= std::int64_t{core::tuned(sweep_from_mib)} << 20 && bytes <= most_swept_bytes() && n >= n_table / 4;
}

}  // namespace rafter::gather_ladder::RAFTER_BACKEND
