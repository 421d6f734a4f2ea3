// The interface of filter's rungs: their arguments and element types.
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
  std::span<T> out;     // kept elements past its end are counted, not written
  std::int64_t* count;  // [1]
};

using FilterRung = core::RungOf<FilterArgs, FilterTypes>;

}  // namespace rafter::filter_ladder
