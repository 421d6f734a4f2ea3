// The form of every gather: what a rung takes, for elements of which sizes. Types of one size are moved by their bits.
#pragma once

#include <cstdint>
#include <span>

#include "library/core/bits.hpp"
#include "library/core/rung.hpp"
#include "rafter/gather.hpp"

namespace rafter::gather_ladder {

/// T is an unsigned integer as large as an element.
template <class T, class I>
struct GatherArgs {
  std::span<const T> table;
  std::span<const I> indices;  // [n]
  OutOfRange out_of_range;
  std::span<T> out;  // [n]
};

using GatherRung = core::RungOf<GatherArgs, core::BitsTypes, GatherIndexTypes>;

/// Whether `index` leads into a table of `size` elements.
template <class I>
constexpr bool in_table(I index, std::int64_t size) {
  return static_cast<std::uint64_t>(std::int64_t{index}) < static_cast<std::uint64_t>(size);
}

}  // namespace rafter::gather_ladder
