// Every comparison as one test: whether a key lies in a closed range. So a kernel compares twice, whatever the
// predicate.
#pragma once

#include <limits>
#include <type_traits>

namespace rafter::filter_ladder {

/// The key of a number is itself; of an integer, an unsigned one in the same order; or the magnitude of either.
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
  Key<T> high;     // below `low` when nothing is inside
  bool magnitude;  // whether the key is the magnitude
  bool inside;     // whether what lies in the range is kept, or what does not
};

template <class T>
inline constexpr Key<T> sign_bit = std::is_integral_v<T> ? static_cast<Key<T>>(std::numeric_limits<T>::min()) : 0;

}  // namespace rafter::filter_ladder
