// The form of every filter: what a rung takes, and for which types.
#pragma once

#include <cstdint>
#include <span>

#include "library/core/rung.hpp"
#include "rafter/filter.hpp"

namespace rafter::filter_ladder {

template <class T>
struct FilterArgs {
  std::span<const T> in;
  Predicate<T> keep;
  FilterOrder order;
  std::span<T> out;     // as long as there is room
  std::int64_t* count;  // [1]
};

using FilterRung = core::RungOf<FilterArgs, FilterTypes>;

}  // namespace rafter::filter_ladder
