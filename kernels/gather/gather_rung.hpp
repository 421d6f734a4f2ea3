// The form of every gather: what a rung takes, and for which types.
#pragma once

#include <cstdint>
#include <span>

#include "core/rung.hpp"
#include "rafter/gather.hpp"

namespace rafter::gather_ladder {

template <class T, class I>
struct GatherArgs {
  std::span<const T> table;
  std::span<const I> indices;  // [n]
  OutOfRange out_of_range;
  std::span<T> out;  // [n]
};

using GatherRung = core::RungOf<GatherArgs, GatherTypes, GatherIndexTypes>;

/// Whether `index` leads into a table of `size` elements.
template <class I>
constexpr bool in_table(I index, std::int64_t size) {
  return static_cast<std::uint64_t>(std::int64_t{index}) < static_cast<std::uint64_t>(size);
}

}  // namespace rafter::gather_ladder
