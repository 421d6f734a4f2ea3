// The operators of lanes, with the usual arithmetic conversions of C++: types narrower than int are promoted, and the
// result has the common type.
#pragma once

#include "rafter_simt/lanes/values.hpp"

namespace rafter_simt::lanes {

/// The lanes of a type; the lanes of bool are a mask.
template <class T>
using LanesOf = std::conditional_t<std::is_same<T, bool>::value, Mask, Lanes<T>>;
template <class T>
using Promoted = decltype(+std::declval<LaneType<T>>());
template <class A, class B>
using Common = decltype(std::declval<LaneType<A>>() + std::declval<LaneType<B>>());
template <class A, class B, class Result>
using IfWide = std::enable_if_t<(is_wide<A> || is_wide<B>)&&is_value<A> && is_value<B>, Result>;

/// Applies an operator to two vectors part by part, in their common type.
#define RAFTER_SIMT_BY_PARTS(Result, a, op, b)                                                       \
  [&](const auto& x, const auto& y) RAFTER_SIMT_LAMBDA {                                             \
    return by_parts<Result>([&](int p) RAFTER_SIMT_LAMBDA { return x.v.parts[p] op y.v.parts[p]; }); \
  }(Lanes<T>(a), Lanes<T>(b))
#define RAFTER_SIMT_COMPARED(a, op, b)                                                                                \
  [&](const auto& x, const auto& y) RAFTER_SIMT_LAMBDA {                                                              \
    return Mask{by_parts<int>(                                                                                        \
        [&](int p) RAFTER_SIMT_LAMBDA { return __builtin_convertvector(x.v.parts[p] op y.v.parts[p], Part<int>); })}; \
  }(Lanes<T>(a), Lanes<T>(b))

/// Converts a value to a condition.
RAFTER_SIMT_LANES Mask to_mask(Mask mask) { return mask; }
RAFTER_SIMT_LANES Mask to_mask(bool value) { return Mask::of(value); }
template <class A, class B>
RAFTER_SIMT_LANES Mask equal(const A& a, const B& b) {
  using T = Common<A, B>;
  return RAFTER_SIMT_COMPARED(a, ==, b);
}
template <class T>
RAFTER_SIMT_LANES Mask to_mask(const Lanes<T>& value) {
  return !equal(value, T());
}
template <class T>
RAFTER_SIMT_LANES Mask to_mask(Linear<T> value) {
  return !equal(value, T());
}

/// Converts like a declaration or a cast. A linear value stays linear unless the type is wider and the value may wrap
/// around.
template <class T, class V>
RAFTER_SIMT_LANES auto to(const V& value) {
  if constexpr (std::is_class<T>::value || !is_wide<V>) {
    return static_cast<std::conditional_t<is_wide<V>, V, T>>(value);
  } else if constexpr (std::is_same<T, bool>::value) {
    return to_mask(value);
  } else {
    using From = LaneType<V>;
    constexpr bool stays_linear =
        is_linear<V> && std::is_integral<T>::value && (sizeof(T) == sizeof(From) || std::is_signed<From>::value);
    if constexpr (stays_linear && sizeof(T) >= sizeof(From)) {
      return Linear<T>{static_cast<T>(value.first)};
    } else {
      return Lanes<T>(value);
    }
  }
}

template <class A, class B, class = IfWide<A, B, void>>
RAFTER_SIMT_LANES auto operator*(const A& a, const B& b) {
  using T = Common<A, B>;
  return Lanes<T>(RAFTER_SIMT_BY_PARTS(T, a, *, b));
}
template <class A, class B, class = IfWide<A, B, void>>
RAFTER_SIMT_LANES auto operator+(const A& a, const B& b) {
  using T = Common<A, B>;
  if constexpr (is_linear<A> && !is_wide<B> && is_linear<decltype(to<T>(a))>) {
    return Linear<T>{static_cast<T>(to<T>(a).first + static_cast<T>(b))};
  } else if constexpr (is_linear<B> && !is_wide<A> && is_linear<decltype(to<T>(b))>) {
    return Linear<T>{static_cast<T>(static_cast<T>(a) + to<T>(b).first)};
  } else {
    return Lanes<T>(RAFTER_SIMT_BY_PARTS(T, a, +, b));
  }
}
template <class A, class B, class = IfWide<A, B, void>>
RAFTER_SIMT_LANES auto operator-(const A& a, const B& b) {
  using T = Common<A, B>;
  if constexpr (is_linear<A> && !is_wide<B> && is_linear<decltype(to<T>(a))>) {
    return Linear<T>{static_cast<T>(to<T>(a).first - static_cast<T>(b))};
  } else {
    return Lanes<T>(RAFTER_SIMT_BY_PARTS(T, a, -, b));
  }
}
template <class A, class = std::enable_if_t<is_wide<A> && is_value<A>>>
RAFTER_SIMT_LANES auto operator-(const A& a) {
  using T = Promoted<A>;
  const Lanes<T> value(a);
  return Lanes<T>(by_parts<T>([&](int p) RAFTER_SIMT_LAMBDA { return -value.v.parts[p]; }));
}
template <class A, class = std::enable_if_t<is_wide<A> && is_value<A>>>
RAFTER_SIMT_LANES auto operator+(const A& a) {
  return to<Promoted<A>>(a);
}
template <class A, class = std::enable_if_t<is_wide<A> && is_value<A>>>
RAFTER_SIMT_LANES auto operator~(const A& a) {
  return a ^ ~Promoted<A>();
}
template <class A, class = std::enable_if_t<is_wide<A> && is_value<A> && !std::is_same<A, Mask>::value>>
RAFTER_SIMT_LANES Mask operator!(const A& a) {
  return equal(a, LaneType<A>());
}

#define RAFTER_SIMT_BITWISE(op)                                                                                   \
  template <class A, class B,                                                                                     \
            class = IfWide<A, B, std::enable_if_t<!(std::is_same<A, Mask>::value && std::is_same<B, A>::value)>>> \
  RAFTER_SIMT_LANES auto operator op(const A& a, const B& b) {                                                    \
    using T = Common<A, B>;                                                                                       \
    return Lanes<T>(RAFTER_SIMT_BY_PARTS(T, a, op, b));                                                           \
  }
#define RAFTER_SIMT_COMPARISON(op)                                           \
  template <class A, class B>                                                \
  RAFTER_SIMT_LANES IfWide<A, B, Mask> operator op(const A& a, const B& b) { \
    using T = Common<A, B>;                                                  \
    return RAFTER_SIMT_COMPARED(a, op, b);                                   \
  }
RAFTER_SIMT_BITWISE(&)
RAFTER_SIMT_BITWISE(|)
RAFTER_SIMT_BITWISE(^)
RAFTER_SIMT_COMPARISON(<)
RAFTER_SIMT_COMPARISON(<=)
RAFTER_SIMT_COMPARISON(>)
RAFTER_SIMT_COMPARISON(>=)
RAFTER_SIMT_COMPARISON(==)
RAFTER_SIMT_COMPARISON(!=)
#undef RAFTER_SIMT_BITWISE
#undef RAFTER_SIMT_COMPARISON

/// Shifts like a GPU: the count has 32 bits, and one of at least the width leaves only the sign.
template <class A, class B>
RAFTER_SIMT_LANES auto shift_left(const A& a, const B& by) {
  using T = Promoted<A>;
  if constexpr (!is_wide<A> && !is_wide<B>) {
    return static_cast<unsigned>(by) < 8 * sizeof(T) ? static_cast<T>(T(a) << static_cast<unsigned>(by)) : T();
  } else {
    const Lanes<unsigned> count(by);
    const Lanes<T> value(a), bits(count);
    return Lanes<T>(by_parts<T>([&](int p) RAFTER_SIMT_LAMBDA {
      const auto n = bits.v.parts[p];
      const auto is_within = n >= 0 & n < static_cast<T>(8 * sizeof(T));
      return is_within ? value.v.parts[p] << (n & static_cast<T>(8 * sizeof(T) - 1)) : Part<T>{};
    }));
  }
}
template <class A, class B>
RAFTER_SIMT_LANES auto shift_right(const A& a, const B& by) {
  using T = Promoted<A>;
  constexpr T most = 8 * sizeof(T) - 1;
  if constexpr (!is_wide<A> && !is_wide<B>) {
    const bool is_within = static_cast<unsigned>(by) <= most;
    return is_within                  ? static_cast<T>(T(a) >> static_cast<unsigned>(by))
           : std::is_signed<T>::value ? static_cast<T>(T(a) >> most)
                                      : T();
  } else {
    const Lanes<unsigned> count(by);
    const Lanes<T> value(a), bits(count);
    return Lanes<T>(by_parts<T>([&](int p) RAFTER_SIMT_LAMBDA {
      const auto n = bits.v.parts[p];
      const auto is_within = n >= 0 & n <= most;
      const Part<T> shifted = value.v.parts[p] >> (is_within ? n : Part<T>{} + most);
      return std::is_signed<T>::value ? shifted : is_within ? shifted : Part<T>{};
    }));
  }
}

/// Steps a loop's own variable. Inactive lanes are stepped too: lanes that have left the loop do not read it any more.
template <class V, class B, class = std::enable_if_t<is_wide<V>>>
RAFTER_SIMT_LANES V& operator+=(V& value, const B& by) {
  return value = to<LaneType<V>>(value + by);
}
template <class V, class B, class = std::enable_if_t<is_wide<V>>>
RAFTER_SIMT_LANES V& operator-=(V& value, const B& by) {
  return value = to<LaneType<V>>(value - by);
}
template <class V, class = std::enable_if_t<is_wide<V>>>
RAFTER_SIMT_LANES V& operator++(V& value) {
  return value += 1;
}
template <class V, class = std::enable_if_t<is_wide<V>>>
RAFTER_SIMT_LANES V& operator--(V& value) {
  return value -= 1;
}
template <class V, class = std::enable_if_t<is_wide<V>>>
RAFTER_SIMT_LANES void operator++(V& value, int) {
  value += 1;
}
template <class V, class = std::enable_if_t<is_wide<V>>>
RAFTER_SIMT_LANES void operator--(V& value, int) {
  value -= 1;
}

}  // namespace rafter_simt::lanes
