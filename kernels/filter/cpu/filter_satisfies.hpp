// Whether an element satisfies a predicate, in host code.
#pragma once

#include <span>

#include "filter/filter_range_of.hpp"

namespace rafter::filter_ladder::cpu {

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

/// For rungs that write without asking whether there is room.
template <class T>
void require_room(std::span<const T> in, std::span<T> out) {
  if (out.size() < in.size())
    throw Error(ErrorCode::unsupported, "this filter needs as much room as there are elements");
}

}  // namespace rafter::filter_ladder::cpu
