// 16-bit floating-point formats, for storage: arithmetic converts them to float.
#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>

#include "rafter/export.hpp"

namespace rafter::inline v1 {

/// IEEE 754 binary16: 11 significant bits, at most 65504. Layout-compatible with CUDA's __half and PyTorch's at::Half.
struct RAFTER_API Half {
  std::uint16_t bits;

  Half() = default;
  /// Rounds to nearest, ties to even; values beyond the largest number become infinity.
  constexpr explicit Half(float value) noexcept;
  /// Rounds once, directly from Number, in the same way.
  template <class Number>
  requires std::is_arithmetic_v<Number>
  constexpr explicit Half(Number value) noexcept;

  constexpr explicit operator float() const noexcept;
  constexpr explicit operator double() const noexcept { return static_cast<double>(static_cast<float>(*this)); }
  /// Compares as numbers: a NaN equals nothing, and -0 equals +0.
  friend constexpr bool operator==(Half a, Half b) noexcept { return static_cast<float>(a) == static_cast<float>(b); }
};

/// The upper half of a float: 8 significant bits, the range of float. Layout-compatible with CUDA's __nv_bfloat16 and
/// PyTorch's at::BFloat16.
struct RAFTER_API Bfloat16 {
  std::uint16_t bits;

  Bfloat16() = default;
  /// Rounds to nearest, ties to even.
  constexpr explicit Bfloat16(float value) noexcept;
  /// Rounds once, directly from Number, in the same way.
  template <class Number>
  requires std::is_arithmetic_v<Number>
  constexpr explicit Bfloat16(Number value) noexcept;

  constexpr explicit operator float() const noexcept { return std::bit_cast<float>(std::uint32_t{bits} << 16); }
  constexpr explicit operator double() const noexcept { return static_cast<double>(static_cast<float>(*this)); }
  /// Compares as numbers: a NaN equals nothing, and -0 equals +0.
  friend constexpr bool operator==(Bfloat16 a, Bfloat16 b) noexcept {
    return static_cast<float>(a) == static_cast<float>(b);
  }
};

namespace detail {

/// Rounds to odd: towards zero, with the last bit set if the result is inexact. Rounding the result to a type of at
/// most 22 significant bits then gives the same as rounding `value` once.
constexpr float round_to_odd(double value) noexcept {
  const auto nearest = static_cast<float>(value);
  const auto back = static_cast<double>(nearest);
  if (back == value || value != value) return nearest;
  auto bits = std::bit_cast<std::uint32_t>(nearest);
  if ((value < 0 ? -back : back) > (value < 0 ? -value : value)) --bits;
  return std::bit_cast<float>(bits | 1);
}

/// Rounds an integer of 64 bits to odd, to the 53 bits of a double; converts other numbers exactly.
template <class Number>
constexpr double odd_double(Number value) noexcept {
  if constexpr (std::is_integral_v<Number> && sizeof(Number) == 8) {
    constexpr Number exact = Number{1} << 53, last = 0x7ff;
    const bool is_large = value >= exact || (std::is_signed_v<Number> && value <= static_cast<Number>(-exact));
    if (is_large && (value & last) != 0) value = (value | last << 1) & static_cast<Number>(~last);
  }
  return static_cast<double>(value);
}

}  // namespace detail

constexpr Half::Half(float value) noexcept : bits(0) {
  const auto x = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t sign = x >> 16 & 0x8000;
  const std::uint32_t magnitude = x & 0x7fffffff;
  std::uint32_t result = 0;
  if (magnitude > 0x7f800000) {
    result = 0x7e00 | (magnitude >> 13 & 0x1ff);  // a quiet NaN that keeps its upper bits
  } else if (magnitude >= 0x47800000) {
    result = 0x7c00;  // 65536 or more
  } else {
    // Subnormal results lose more bits: below 2^-14 the last one is worth 2^-24, and below 2^-25 all are gone.
    const std::uint32_t exponent = magnitude >> 23;
    const std::uint32_t lost = exponent >= 113 ? 13 : (exponent < 101 ? 26 : 126 - exponent);
    const std::uint32_t significand = exponent >= 113 ? magnitude - (112u << 23) : (magnitude & 0x7fffff) | 0x800000;
    const std::uint32_t half_unit = (1u << (lost - 1)) - 1 + (significand >> lost & 1);
    result = (significand + half_unit) >> lost;
  }
  bits = static_cast<std::uint16_t>(sign | result);
}

template <class Number>
requires std::is_arithmetic_v<Number>
constexpr Half::Half(Number value) noexcept : Half(detail::round_to_odd(detail::odd_double(value))) {}

[[nodiscard]] constexpr Half::operator float() const noexcept {
  const std::uint32_t sign = std::uint32_t{bits & 0x8000u} << 16;
  const std::uint32_t exponent = bits >> 10 & 0x1fu;
  const std::uint32_t fraction = bits & 0x3ffu;
  if (exponent == 0) {  // fraction * 2^-24, exactly
    const float magnitude = static_cast<float>(fraction) * 0x1p-24f;
    return std::bit_cast<float>(std::bit_cast<std::uint32_t>(magnitude) | sign);
  }
  const std::uint32_t wide = exponent == 31 ? 255 : exponent + 112;
  return std::bit_cast<float>(sign | wide << 23 | fraction << 13);
}

constexpr Bfloat16::Bfloat16(float value) noexcept : bits(0) {
  const auto x = std::bit_cast<std::uint32_t>(value);
  const bool is_nan = (x & 0x7fffffff) > 0x7f800000;
  const std::uint32_t rounded = is_nan ? x | 0x400000 : x + 0x7fff + (x >> 16 & 1);
  bits = static_cast<std::uint16_t>(rounded >> 16);
}

template <class Number>
requires std::is_arithmetic_v<Number>
constexpr Bfloat16::Bfloat16(Number value) noexcept : Bfloat16(detail::round_to_odd(detail::odd_double(value))) {}

}  // namespace rafter::inline v1
