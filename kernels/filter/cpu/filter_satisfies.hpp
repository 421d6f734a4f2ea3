// The predicate's test in host code.
#pragma once

#include <span>

#include "filter/filter_range_of.hpp"

namespace rafter::filter_ladder::cpu {

/// Whether x is kept.
template <class T>
bool satisfies(const Range<T>& range, T x) {
  Key<T> key;
  if constexpr (std::is_floating_point_v<T>) {
    key = range.magnitude ? std::fabs(x) : x;
  } else {
    const auto bits = static_cast<Key<T>>(x);
    key = range.magnitude ? static_cast<Key<T>>(x < 0 ? Key<T>{0} - bits : bits) : bits ^ sign_bit<T>;
  }
  return ((key >= range.low) & (key <= range.high)) == range.inside;
}

/// Throws Error (unsupported) if `out` is shorter than `in`. Rungs that write without a bounds check call this first.
template <class T>
void require_full_capacity(std::span<const T> in, std::span<T> out) {
  if (out.size() < in.size()) throw Error(ErrorCode::unsupported, "this rung needs an output as long as the input");
}

}  // namespace rafter::filter_ladder::cpu
