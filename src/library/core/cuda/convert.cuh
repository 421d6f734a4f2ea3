// Conversions between elements and their accumulators: 16-bit floats become floats, all other types are unchanged.
#pragma once

#include <cstring>
#include <type_traits>

#include "library/core/dtype.hpp"
#include "library/ptx/convert.cuh"

namespace rafter::core {
inline namespace RAFTER_BACKEND {

template <class T>
__device__ auto widen(T value) {
  if constexpr (std::is_arithmetic_v<T>) {
    return value;
  } else {
    return ptx::to_float(value);
  }
}

/// Rounds a result once.
template <class T>
__device__ T round_to(Accumulator<T> value) {
  if constexpr (OwnAccumulator<T>) {
    return value;
  } else {
    return ptx::from_float<T>(value);
  }
}
/// Rounds a sum in double, for all floating-point types. 16-bit floats are rounded in software, which suits one result
/// of many elements.
template <class T>
requires(!std::is_same_v<Accumulator<T>, double>) __device__ T round_to(double value) { return static_cast<T>(value); }

/// Rounds adjacent results, two 16-bit floats at once.
template <class T, int N>
__device__ void round_lanes(const Accumulator<T> (&from)[N], T (&to)[N]) {
  if constexpr (sizeof(T) == 2 && N % 2 == 0) {
#pragma unroll
    for (int i = 0; i < N; i += 2) {
      const unsigned pair = ptx::pair_from_floats<T>(from[i], from[i + 1]);
      memcpy(&to[i], &pair, sizeof pair);
    }
  } else {
#pragma unroll
    for (int i = 0; i < N; ++i) to[i] = round_to<T>(from[i]);
  }
}

}  // namespace RAFTER_BACKEND
}  // namespace rafter::core
