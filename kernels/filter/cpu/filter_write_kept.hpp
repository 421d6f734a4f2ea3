// Writes what is kept of a part of the input, on one thread: the elements, or those of columns at their indices.
#pragma once

#include <algorithm>

#include "filter/filter_rung.hpp"
#include "filter/filter_simd.hpp"
#include "library/core/bits.hpp"

namespace rafter::filter_ladder::cpu {

/// `n` elements from `first` on.
struct Section {
  std::int64_t first;
  std::int64_t n;
};

/// Writes the elements that `words` mark in a section of the input to a section of the output that is not longer than
/// their number.
template <class T>
void write_kept(const FilterArgs<T>& args, const std::uint64_t* words, Section from, Section to) {
  filter_loops()
      .of(args.in.data())
      .compact(args.in.data() + from.first, from.n, words, args.out.data() + to.first, to.n);
}

/// Writes the elements at `indices`, which count from element `first`, or if there is no input the indices.
template <class Bits>
void write_column(const KeptColumn& column, std::int64_t first, const std::int32_t* indices, Section to) {
  Bits* out = static_cast<Bits*>(column.out) + to.first;
  if (column.in == nullptr) {
    for (std::int64_t i = 0; i < to.n; ++i) out[i] = static_cast<Bits>(first + indices[i]);
    return;
  }
  const Bits* in = static_cast<const Bits*>(column.in) + first;
  for (std::int64_t i = 0; i < to.n; ++i) out[i] = in[indices[i]];
}

template <class T>
void write_kept(const FilterArgs<T, Columns>& args, const std::uint64_t* words, Section from, Section to) {
  constexpr std::int64_t n_at_once = 4096;  // whose indices stay in the L1 cache
  std::int32_t indices[n_at_once + index_slack];
  for (std::int64_t i = 0; i < from.n && to.n > 0; i += n_at_once) {
    const std::int64_t first = from.first + i;
    const std::int64_t n = filter_loops().indices(words + i / word_elements, std::min(n_at_once, from.n - i), indices);
    const Section here = {to.first, std::min(n, to.n)};
    for (int c = 0; c < args.out.n; ++c) {
      const KeptColumn& column = args.out.column[c];
      switch (column.element_bytes) {
        case 2: write_column<std::uint16_t>(column, first, indices, here); break;
        case 4: write_column<std::uint32_t>(column, first, indices, here); break;
        default: write_column<std::uint64_t>(column, first, indices, here); break;
      }
    }
    to = {to.first + here.n, to.n - here.n};
  }
}

}  // namespace rafter::filter_ladder::cpu
