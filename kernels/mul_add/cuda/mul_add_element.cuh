// Computes a * b + c for one element; shared by all kernels of the ladder.
#pragma once

#include <cmath>
#include <type_traits>

#include "library/core/cuda/convert.cuh"

namespace rafter::mul_add_ladder::RAFTER_BACKEND {

/// Returns a * b + c, rounded once; integers wrap around. T is a type that computes in itself: widen 16-bit elements
/// first.
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

/// Returns a * b + c of elements, computed in their accumulator type and rounded to T.
template <class T>
__device__ T multiply_add_elements(T a, T b, T c) {
  return core::round_to<T>(multiply_add(core::widen(a), core::widen(b), core::widen(c)));
}

}  // namespace rafter::mul_add_ladder::RAFTER_BACKEND
