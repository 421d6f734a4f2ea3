// The interface of filter's rungs: their arguments and element types.
#pragma once

#include <cstdint>
#include <span>
#include <type_traits>

#include "filter/filter_kept_columns.hpp"
#include "library/core/rung.hpp"
#include "rafter/filter.hpp"

namespace rafter::filter_ladder {

/// Elements: a kept element is written. Columns: the elements of columns at its index are.
struct Elements {};
struct Columns {};
using FilterOutputTypes = Types<Elements, Columns>;

template <class T, class What = Elements>
struct FilterArgs {
  std::span<const T> in;
  Predicate<T> keep;
  FilterOrder order;
  std::conditional_t<std::is_same_v<What, Elements>, std::span<T>, KeptColumns> out;  // what is past its end is counted
  std::int64_t* count;                                                                // [1]
};

using FilterRung = core::RungOf<FilterArgs, FilterTypes, FilterOutputTypes>;

}  // namespace rafter::filter_ladder
