// The signature of gather's rungs: their arguments and element sizes. Types of one size are moved as bits.
#pragma once

#include <cstdint>
#include <span>

#include "library/core/bits.hpp"
#include "library/core/rung.hpp"
#include "rafter/gather.hpp"

namespace rafter::gather_ladder {

/// The arguments. T is an unsigned integer of the element's size.
template <class T, class I>
struct GatherArgs {
  std::span<const T> table;
  std::span<const I> indices;  // [n]
  OutOfRange out_of_range;
  std::span<T> out;  // [n]
};

using GatherRung = core::RungOf<GatherArgs, core::BitsTypes, GatherIndexTypes>;

/// Whether `index` is inside a table of `size` elements.
template <class I>
constexpr bool in_table(I index, std::int64_t size) {
  return static_cast<std::uint64_t>(std::int64_t{index}) < static_cast<std::uint64_t>(size);
}

}  // namespace rafter::gather_ladder
