// The predicate's test in device code.
#pragma once

#include "filter/filter_range_of.hpp"
#include "library/ptx/device_build.cuh"

namespace rafter::filter_ladder {
inline namespace RAFTER_BACKEND {

/// Whether the key of x lies in the closed range.
template <class T>
__device__ bool lies_in(const Range<T>& range, T x) {
  Key<T> key;
  if constexpr (std::is_floating_point_v<T>) {
    key = range.magnitude ? fabs(x) : x;
  } else {
    const auto bits = static_cast<Key<T>>(x);
    key = range.magnitude ? (x < 0 ? Key<T>{0} - bits : bits) : bits ^ sign_bit<T>;
  }
  return key >= range.low && key <= range.high;
}

/// Whether x is kept.
template <class T>
__device__ bool satisfies(const Range<T>& range, T x) {
  return lies_in(range, x) == range.inside;
}

/// A function object around satisfies(), for libraries that take predicates.
template <class T>
struct Satisfies {
  Range<T> range;
  __device__ bool operator()(T x) const { return satisfies(range, x); }
};

}  // namespace RAFTER_BACKEND
}  // namespace rafter::filter_ladder
