// The signature of sum's rungs: their arguments and element types.
#pragma once

#include <cstdint>
#include <span>

#include "library/core/dtype.hpp"
#include "library/core/rung.hpp"
#include "rafter/sum.hpp"

namespace rafter::sum_ladder {

template <class T>
struct SumArgs {
  std::span<const T> in;
  SumResult<T>* out;  // [1]
};

/// The types of rungs that do not add integers, and of rungs that add floats in their own type only.
template <class T>
concept Float = core::is_float<T>;
template <class T>
concept OwnFloat = Float<T> && core::OwnAccumulator<T>;

/// The type in which the sums of short runs of T are added up; unsigned integers wrap around.
template <class T>
using SumTotal = std::conditional_t<std::is_integral_v<T>, unsigned long long, double>;

using SumRung = core::RungOf<SumArgs, SumTypes>;

}  // namespace rafter::sum_ladder
