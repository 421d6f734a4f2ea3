// a * b + c of one element, as every kernel of the ladder does it.
#pragma once

#include <cmath>
#include <type_traits>

#include "library/core/cuda/convert.cuh"

namespace rafter::mul_add_ladder::RAFTER_BACKEND {

/// Rounded once; integers wrap around. T calculates as it is: elements of 16 bits are widened before.
template <core::OwnAccumulator T>
__device__ T multiply_add(T a, T b, T c) {
  if constexpr (std::is_integral_v<T>) {
    using Unsigned = std::make_unsigned_t<T>;
    return static_cast<T>(static_cast<Unsigned>(a) * static_cast<Unsigned>(b) + static_cast<Unsigned>(c));
  } else if constexpr (sizeof(T) == sizeof(float)) {
    return fmaf(a, b, c);
  } else {
    return fma(a, b, c);
  }
}

/// Of elements, rounded to one.
template <class T>
__device__ T multiply_add_elements(T a, T b, T c) {
  return core::round_to<T>(multiply_add(core::widen(a), core::widen(b), core::widen(c)));
}

}  // namespace rafter::mul_add_ladder::RAFTER_BACKEND
