// One element of each map, as the ops define it: the reference, and the rung `plain`.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "elementwise/elementwise_maps.hpp"
#include "library/core/bits.hpp"
#include "library/core/dtype.hpp"

namespace rafter::elementwise_ladder::cpu {

/// The NaN with all bits set but the sign.
template <class T>
T canonical_nan() {
  return std::bit_cast<T>(static_cast<core::BitsOf<T>>(core::BitsOf<T>(-1) >> 1));
}

/// Converts as rafter::convert() does.
template <class To, class From>
To converted(From value) {
  if constexpr (std::is_same_v<From, To>) {
    return value;
  } else if constexpr (!std::is_arithmetic_v<From>) {
    return converted<To>(static_cast<std::conditional_t<std::is_same_v<To, float>, double, float>>(value));
  } else if constexpr (core::is_float<To>) {
    return value == value ? static_cast<To>(value) : canonical_nan<To>();
  } else if constexpr (core::is_float<From>) {
    constexpr auto end = -static_cast<From>(std::numeric_limits<To>::min());
    if (value != value) return 0;
    if (value >= end) return std::numeric_limits<To>::max();
    return value < -end ? std::numeric_limits<To>::min() : static_cast<To>(value);
  } else {
    if (value > std::int64_t{std::numeric_limits<To>::max()}) return std::numeric_limits<To>::max();
    if (value < std::int64_t{std::numeric_limits<To>::min()}) return std::numeric_limits<To>::min();
    return static_cast<To>(value);
  }
}

/// Multiplies integers modulo 2^n, floats in double: rounded once, because double holds the products of shorter ones.
template <class T>
T product(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    using Unsigned = std::make_unsigned_t<T>;
    return static_cast<T>(static_cast<Unsigned>(a) * static_cast<Unsigned>(b));
  } else {
    return static_cast<T>(static_cast<double>(a) * static_cast<double>(b));
  }
}

template <class T>
T plain_element(const Multiplication<T>& map, std::int64_t i) {
  return product(map.a[i], map.b[i]);
}
template <class T>
T plain_element(const Scaling<T>& map, std::int64_t i) {
  return product(map.a[i], map.factor);
}
template <class From, class To>
To plain_element(const Conversion<From, To>& map, std::int64_t i) {
  return converted<To>(map.in[i]);
}
template <class T>
T plain_element(const Sequence<T>& map, std::int64_t i) {
  if constexpr (std::is_integral_v<T>) {
    using Unsigned = std::make_unsigned_t<T>;
    return static_cast<T>(static_cast<Unsigned>(map.start) +
                          static_cast<Unsigned>(map.first + i) * static_cast<Unsigned>(map.step));
  } else {
    return static_cast<T>(
        std::fma(static_cast<double>(map.first + i), static_cast<double>(map.step), static_cast<double>(map.start)));
  }
}

}  // namespace rafter::elementwise_ladder::cpu
