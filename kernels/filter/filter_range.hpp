// A predicate as a closed range of keys: any comparison with a bound becomes low <= key && key <= high, so a kernel
// makes two comparisons for every predicate.
#pragma once

#include <limits>
#include <type_traits>

namespace rafter::filter_ladder {

/// The key of a floating-point number is the number or its magnitude. The key of an integer is an unsigned integer in
/// the same order, or the magnitude.
template <class T, bool integral = std::is_integral_v<T>>
struct KeyOf {
  using type = T;
};
template <class T>
struct KeyOf<T, true> {
  using type = std::make_unsigned_t<T>;
};
template <class T>
using Key = typename KeyOf<T>::type;

template <class T>
struct Range {
  Key<T> low;
  Key<T> high;     // less than `low`: the range is empty
  bool magnitude;  // whether the key is the magnitude
  bool inside;     // whether elements inside the range are kept, or those outside
};

template <class T>
inline constexpr Key<T> sign_bit = std::is_integral_v<T> ? static_cast<Key<T>>(std::numeric_limits<T>::min()) : 0;

}  // namespace rafter::filter_ladder
