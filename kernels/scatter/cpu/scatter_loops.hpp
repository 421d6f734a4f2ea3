// The loops under the CPU scatter. All combine in an order that depends only on the numbers of keys and elements: the
// same bits with any number of threads.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "library/core/arithmetic.hpp"
#include "library/core/cpu/prefetch.hpp"
#include "library/core/parts.hpp"
#include "scatter/cpu/scatter_elements.hpp"
#include "scatter/scatter_reduction.hpp"
#include "scatter/scatter_results.hpp"
#include "scatter/scatter_rung.hpp"

namespace rafter::scatter_ladder::cpu {

// ---- One element at a time ----

template <class Reducer, class Elements>
void combine_one(const Elements& elements, std::int64_t slot, typename Reducer::State state) {
  auto& result = elements.out[slot];
  result = Reducer::value(Reducer::combine(Reducer::from(result), state));
}

template <class Reducer, class Elements>
void in_order(const Elements& elements) {
  in_blocks(elements, 0, elements.n, [](const auto& part, std::int64_t first, std::int64_t last) {
    for (std::int64_t i = first; i < last; ++i) {
      if (part.has(part.keys[i])) combine_one<Reducer>(part, part.keys[i], Reducer::from(part.source(i)));
    }
  });
}

// ---- Few keys: tables per thread ----

inline constexpr std::int64_t table_bytes = 512 << 10;  // on the stack of each thread

/// Returns the number of lanes of a table: adjacent elements use different lanes, so that a repeated key need not wait
/// until its last sum is stored. 0: too many keys for a table.
inline int n_table_lanes(std::int64_t n_keys, std::int64_t state_bytes) {
  constexpr std::int64_t first_cache_bytes = 32 << 10;
  constexpr std::int64_t second_cache_bytes = 256 << 10;
  const std::int64_t bytes = (n_keys + 1) * state_bytes;
  if (n_keys > table_bytes) return 0;
  return 8 * bytes <= first_cache_bytes ? 8 : 4 * bytes <= second_cache_bytes ? 4 : bytes <= table_bytes ? 1 : 0;
}

/// The prefetch distance for keys and values (2^24 elements, 1000 keys, two threads. Xeon: 11.1 ms, 17.3 without;
/// Neoverse-V1: 5.4 ms, also with 512 and 2048, and 5.8 without).
inline constexpr std::int64_t elements_ahead = 1024;

/// Combines elements [first, last) into table[slot * Lanes + lane]. Slot n_keys takes elements without a key, which is
/// faster than skipping them (Neoverse-V1, 1000 keys: 7.4 compared with 8.2 ms). All slots of a group are computed
/// before its first store: a core that does not load past a store to an unknown address would otherwise process one key
/// at a time.
template <class Reducer, int Lanes, class Elements>
void fill_table(const Elements& elements, std::int64_t first, std::int64_t last, typename Reducer::State* table) {
  constexpr int group = 8;  // a cache line of keys
  const auto slot_of = [&](std::int64_t i) {
    const auto key = static_cast<std::uint64_t>(elements.keys[i]);  // negative ones become huge
    return std::min(key, static_cast<std::uint64_t>(elements.n_keys)) * Lanes;
  };
  const auto take = [&](std::int64_t i, std::uint64_t slot, int lane) {
    auto& state = table[slot + static_cast<std::uint64_t>(lane)];
    state = Reducer::combine(state, Reducer::from(elements.source(i)));
  };
  std::int64_t i = first;
  for (; i + group <= last; i += group) {
    core::prefetch<core::CacheLevel::second>(elements.keys, i + elements_ahead);
    elements.source.prefetch(i + elements_ahead);
    std::uint64_t slots[group];
    for (int k = 0; k < group; ++k) slots[k] = slot_of(i + k);
    for (int k = 0; k < group; ++k) take(i + k, slots[k], k % Lanes);
  }
  for (; i < last; ++i) take(i, slot_of(i), static_cast<int>((i - first) % Lanes));
}

template <class Reducer, class Elements>
void in_tables(const Stream& stream, const Elements& elements, int n_lanes) {
  using State = typename Reducer::State;
  constexpr std::int64_t max_chunks = 128;
  const std::int64_t per_chunk = std::max({ceil_div(elements.n, max_chunks), std::int64_t{32768}, 8 * elements.n_keys});
  const std::int64_t n_chunks = ceil_div(elements.n, per_chunk);
  struct alignas(64) Table {
    State states[table_bytes / sizeof(State)];  // [n_keys + 1, n_lanes]
  };
  const auto fill = [&](std::int64_t chunk, State* table) {
    std::fill_n(table, (elements.n_keys + 1) * n_lanes, Reducer::identity());
    const std::int64_t first = chunk * per_chunk;
    in_blocks(elements, first, std::min(first + per_chunk, elements.n),
              [&](const auto& part, std::int64_t begin, std::int64_t end) {
                if (n_lanes == 8) return fill_table<Reducer, 8>(part, begin, end, table);
                if (n_lanes == 4) return fill_table<Reducer, 4>(part, begin, end, table);
                fill_table<Reducer, 1>(part, begin, end, table);
              });
    for (std::int64_t k = 0; k < elements.n_keys; ++k) {
      State total = table[k * n_lanes];
      for (int lane = 1; lane < n_lanes; ++lane) total = Reducer::combine(total, table[k * n_lanes + lane]);
      table[k] = total;  // before what is read next
    }
  };
  const auto add = [&](const State* table) {
    for (std::int64_t k = 0; k < elements.n_keys; ++k) combine_one<Reducer>(elements, k, table[k]);
  };
  if (n_chunks == 1) {
    Table table;
    fill(0, table.states);
    return add(table.states);
  }
  core::ChunkOrder order;
  core::run_parts(core::threads_for(stream, n_chunks, 1), [&](int) {
    Table table;
    for (std::int64_t chunk; (chunk = order.claim()) < n_chunks;) {
      fill(chunk, table.states);
      order.in_turn(chunk, [&] { add(table.states); });
    }
  });
}

// ---- Many keys: every thread owns a range ----

/// A piece of the array, sorted by the owners of its keys. It is processed in four places at once, each with its own
/// counters: a counter that is used again soon would have to wait until its last value is stored.
template <class Reducer>
struct OwnedPiece {
  struct Entry {
    std::int32_t slot;
    typename Reducer::State state;
  };
  static constexpr int max_owners = 64;
  static constexpr int n_places = 4;
  static constexpr std::int64_t size = (64 << 10) / sizeof(Entry);
  static constexpr std::int64_t per_place = size / n_places;

  Entry entries[size];
  std::int64_t begin[max_owners + 2];  // first entry of each owner; then of elements without a key
  std::int64_t next[n_places][max_owners + 1];

  /// Calls visit(place, i) for the elements [first, last) of the piece.
  template <class Visit>
  static void for_each_element(std::int64_t first, std::int64_t last, const Visit& visit) {
    if (last - first == size) {
      for (std::int64_t i = first; i < first + per_place; ++i) {
        for (int place = 0; place < n_places; ++place) visit(place, i + place * per_place);
      }
    } else {
      for (std::int64_t i = first; i < last; ++i) visit(static_cast<int>((i - first) / per_place), i);
    }
  }

  template <class Elements>
  void sort(const Elements& elements, std::int64_t first, std::int64_t last, int n_owners) {
    const std::uint64_t scale =
        (static_cast<std::uint64_t>(n_owners) << 32) / static_cast<std::uint64_t>(elements.n_keys);
    const auto owner_of = [&](auto key) {
      const std::uint64_t owner = (static_cast<std::uint64_t>(key) * scale) >> 32;
      return elements.has(key) ? owner : static_cast<std::uint64_t>(n_owners);
    };
    for (auto& counts : next) std::fill_n(counts, n_owners + 1, 0);
    for_each_element(first, last, [&](int place, std::int64_t i) { ++next[place][owner_of(elements.keys[i])]; });
    std::int64_t total = 0;
    for (int owner = 0; owner <= n_owners; ++owner) {
      begin[owner] = total;
      for (auto& counts : next) total += std::exchange(counts[owner], total);
    }
    for_each_element(first, last, [&](int place, std::int64_t i) {
      const auto key = elements.keys[i];
      entries[next[place][owner_of(key)]++] = {static_cast<std::int32_t>(key), Reducer::from(elements.source(i))};
    });
  }
};

/// Combines in rounds: each thread sorts a piece of the array by owner; then each owner takes its own elements from all
/// pieces, in order. So every key's elements are combined one by one in the array's order.
template <class Reducer, class Elements>
void by_owner(const Stream& stream, const Elements& elements) {
  using Piece = OwnedPiece<Reducer>;
  const int n_owners = std::min(stream.n_threads(), Piece::max_owners);
  const auto pieces = std::make_unique_for_overwrite<Piece[]>(static_cast<std::size_t>(n_owners));
  for (std::int64_t round = 0; round < elements.n; round += n_owners * Piece::size) {
    core::run_parts(n_owners, [&](int part) {
      Piece& piece = pieces[static_cast<std::size_t>(part)];
      const std::int64_t first = std::min(round + part * Piece::size, elements.n);
      in_blocks<Piece::size>(
          elements, first, std::min(first + Piece::size, elements.n),
          [&](const auto& block, std::int64_t begin, std::int64_t end) { piece.sort(block, begin, end, n_owners); });
    });
    core::run_parts(n_owners, [&](int owner) {
      for (int part = 0; part < n_owners; ++part) {
        const Piece& piece = pieces[static_cast<std::size_t>(part)];
        for (std::int64_t e = piece.begin[owner]; e < piece.begin[owner + 1]; ++e)
          combine_one<Reducer>(elements, piece.entries[e].slot, piece.entries[e].state);
      }
    });
  }
}

// ---- Sorted keys: runs ----

/// Combines the run of equal keys that begins at `i`; returns its end. As keys are sorted, 16 keys are equal if the
/// first and the last are.
template <class Reducer, class Elements>
std::int64_t combine_run(const Elements& elements, std::int64_t i, std::int64_t last, typename Reducer::State& total) {
  constexpr int n_lanes = 16;
  const auto key = elements.keys[i];
  total = Reducer::identity();
  if (i + n_lanes <= last && elements.keys[i + n_lanes - 1] == key) {
    typename Reducer::State lane[n_lanes];
    std::fill_n(lane, n_lanes, Reducer::identity());
    for (; i + n_lanes <= last && elements.keys[i + n_lanes - 1] == key; i += n_lanes) {
      for (int j = 0; j < n_lanes; ++j) lane[j] = Reducer::combine(lane[j], Reducer::from(elements.source(i + j)));
    }
    for (int width = n_lanes / 2; width > 0; width /= 2) {
      for (int j = 0; j < width; ++j) lane[j] = Reducer::combine(lane[j], lane[j + width]);
    }
    total = lane[0];
  }
  for (; i < last && elements.keys[i] == key; ++i) total = Reducer::combine(total, Reducer::from(elements.source(i)));
  return i;
}

/// A chunk's parts of the keys that may have elements in other chunks: its first and its last key.
template <class Reducer>
struct ChunkEnds {
  struct Run {
    std::int64_t key;
    typename Reducer::State state;
  };
  Run first;
  Run last;
};

/// Writes the runs that begin and end within the elements [first, last), at least one, and returns the others. If there
/// is only one run, the first is empty.
template <class Reducer, class Elements>
ChunkEnds<Reducer> combine_runs(const Elements& elements, std::int64_t first, std::int64_t last) {
  typename ChunkEnds<Reducer>::Run run = {elements.keys[first], Reducer::identity()};
  auto first_run = run;
  bool is_first = true;
  in_blocks(elements, first, last, [&](const auto& part, std::int64_t begin, std::int64_t end) {
    while (begin < end) {
      const bool goes_on = part.keys[begin] == run.key;  // from the previous block
      if (!goes_on) {
        if (is_first) {
          first_run = run;
        } else if (run.key >= 0 && run.key < part.n_keys) {
          part.out[run.key] = Reducer::value(run.state);
        }
        is_first = false;
        run.key = part.keys[begin];
      }
      typename Reducer::State state;
      begin = combine_run<Reducer>(part, begin, end, state);
      run.state = goes_on ? Reducer::combine(run.state, state) : state;
    }
  });
  return {first_run, run};
}

/// Combines fixed chunks; their first and last runs are combined at the end.
template <class Reducer, class Elements>
void in_runs(const Stream& stream, const Elements& elements) {
  constexpr std::int64_t max_chunks = 1024;
  const std::int64_t per_chunk = std::max(ceil_div(elements.n, max_chunks), std::int64_t{16384});
  const std::int64_t n_chunks = ceil_div(elements.n, per_chunk);
  ChunkEnds<Reducer> ends[max_chunks];
  core::for_each_part(stream, n_chunks, [&](std::int64_t chunk) {
    const std::int64_t first = chunk * per_chunk;
    ends[chunk] = combine_runs<Reducer>(elements, first, std::min(first + per_chunk, elements.n));
  });
  for (std::int64_t chunk = 0; chunk < n_chunks; ++chunk) {
    for (const auto& run : {ends[chunk].first, ends[chunk].last}) {
      const bool has = run.key >= 0 && run.key < elements.n_keys;
      if (has) combine_one<Reducer>(elements, run.key, run.state);
    }
  }
}

/// Reduces with the algorithm that suits the shape.
template <class Reducer, class Elements>
void reduce(const Stream& stream, const Elements& elements, KeyOrder order) {
  if (order == KeyOrder::sorted) return in_runs<Reducer>(stream, elements);
  const int n_lanes = n_table_lanes(elements.n_keys, sizeof(typename Reducer::State));
  if (n_lanes > 0) return in_tables<Reducer>(stream, elements, n_lanes);
  constexpr std::int64_t worth_sharing = 65536;
  const bool slots_fit = elements.n_keys <= std::int64_t{1} << 31;
  if (stream.n_threads() == 1 || elements.n < worth_sharing || !slots_fit) return in_order<Reducer>(elements);
  by_owner<Reducer>(stream, elements);
}

/// Copies results to `out`; those of more than 16 bits are already there.
template <class T>
void round_results(const Results<T>& results, std::span<T> out) {
  if constexpr (core::SixteenBits<T>) core::round(results.all.data(), std::ssize(out), out.data());
}

}  // namespace rafter::scatter_ladder::cpu
