// The closed range that a predicate amounts to.
#pragma once

#include <cmath>

#include "filter/filter_range.hpp"
#include "rafter/error.hpp"
#include "rafter/filter.hpp"

namespace rafter::filter_ladder {

/// The key of a bound, the keys just below and above it, and the least and the greatest key.
template <class T>
struct BoundKeys {
  Key<T> bound, below, above, least, greatest;
  bool has_below, has_above;
};

template <class T>
BoundKeys<T> bound_keys(T bound, bool magnitude) {
  if constexpr (std::is_floating_point_v<T>) {
    constexpr T infinity = std::numeric_limits<T>::infinity();
    return {bound,
            std::nextafter(bound, -infinity),
            std::nextafter(bound, infinity),
            -infinity,
            infinity,
            bound != -infinity,
            bound != infinity};
  } else {
    constexpr Key<T> greatest = std::numeric_limits<Key<T>>::max();
    const Key<T> key = static_cast<Key<T>>(bound) ^ (magnitude ? 0 : sign_bit<T>);
    return {key, static_cast<Key<T>>(key - 1), static_cast<Key<T>>(key + 1), 0, greatest, key != 0, key != greatest};
  }
}

template <class T>
Range<T> range_of(const Predicate<T>& keep) {
  const bool magnitude = keep.operand == CompareOperand::magnitude;
  const Range<T> none = {1, 0, magnitude, true};
  const bool is_less = keep.op == CompareOp::less || keep.op == CompareOp::less_equal;
  if (std::is_integral_v<T> && magnitude && keep.bound < 0) {  // every magnitude exceeds the bound
    const bool holds = !is_less && keep.op != CompareOp::equal;
    return {1, 0, magnitude, !holds};
  }
  const BoundKeys<T> at = bound_keys(keep.bound, magnitude);
  switch (keep.op) {
    case CompareOp::less: return at.has_below ? Range<T>{at.least, at.below, magnitude, true} : none;
    case CompareOp::less_equal: return {at.least, at.bound, magnitude, true};
    case CompareOp::greater: return at.has_above ? Range<T>{at.above, at.greatest, magnitude, true} : none;
    case CompareOp::greater_equal: return {at.bound, at.greatest, magnitude, true};
    case CompareOp::equal: return {at.bound, at.bound, magnitude, true};
    case CompareOp::not_equal: return {at.bound, at.bound, magnitude, false};
  }
  return none;
}

/// Throws Error (unsupported) if the order must be preserved. Rungs that do not preserve it call this first.
inline void refuse_order(FilterOrder order) {
  if (order == FilterOrder::preserved)
    throw Error(ErrorCode::unsupported, "this rung does not preserve the order; choose order=any");
}

}  // namespace rafter::filter_ladder
