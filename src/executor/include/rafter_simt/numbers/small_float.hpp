// 16-bit and 8-bit floating-point formats in software: a single rounding, exact in every mode, the same on every
// machine.
#pragma once

#include <cstdint>

#include "rafter_simt/numbers/rounding.hpp"

namespace rafter_simt {

/// The parameters of a format. A magnitude is a value's bits without the sign.
template <int ExponentBits, int MantissaBits>
struct SmallFormat {
  static constexpr int mantissa_bits = MantissaBits;
  static constexpr int bias = (1 << (ExponentBits - 1)) - 1;
  static constexpr unsigned infinity = ((1u << ExponentBits) - 1) << MantissaBits;
  static constexpr unsigned sign = 1u << (ExponentBits + MantissaBits);
};

/// Returns the magnitude nearest to significand * 2^exponent; beyond the largest finite one if the value overflows.
template <class Format>
constexpr unsigned round_magnitude(bool negative, std::uint64_t significand, int exponent, Rounding mode) {
  if (significand == 0) return 0;
  constexpr int least_exponent = 1 - Format::bias;
  const int top = 63 - __builtin_clzll(significand) + exponent;
  const int scale = top > least_exponent ? top : least_exponent;
  const int shift = scale - Format::mantissa_bits - exponent;  // bits of the significand below the last place
  std::uint64_t kept = shift >= 64 ? 0 : (shift > 0 ? significand >> shift : significand << -shift);
  if (shift > 0) {
    const bool half = shift <= 64 && (significand >> (shift - 1) & 1);
    const bool below = shift > 64 || (significand & ((std::uint64_t{1} << (shift - 1)) - 1)) != 0;
    if (mode == Rounding::nearest) kept += half && (below || (kept & 1));
    if (mode == Rounding::up) kept += !negative && (half || below);
    if (mode == Rounding::down) kept += negative && (half || below);
  }
  return static_cast<unsigned>(kept) + (static_cast<unsigned>(scale - least_exponent) << Format::mantissa_bits);
}

/// Whether an overflowing value becomes infinite rather than the largest finite one.
constexpr bool overflows_to_infinity(bool negative, Rounding mode) {
  return mode == Rounding::nearest || (mode == Rounding::up && !negative) || (mode == Rounding::down && negative);
}

/// Returns the bits of significand * 2^exponent in a format with infinities.
template <class Format>
constexpr unsigned encode(bool negative, std::uint64_t significand, int exponent, Rounding mode) {
  unsigned magnitude = round_magnitude<Format>(negative, significand, exponent, mode);
  if (magnitude >= Format::infinity) {
    magnitude = overflows_to_infinity(negative, mode) ? Format::infinity : Format::infinity - 1;
  }
  return magnitude | (negative ? Format::sign : 0);
}

/// A finite double as +-significand * 2^exponent.
struct Unpacked {
  bool negative;
  std::uint64_t significand;
  int exponent;
};
constexpr Unpacked unpack(double value) {
  const auto bits = bits_as<std::uint64_t>(value);
  const int exponent = static_cast<int>(bits >> 52 & 0x7ff);
  const std::uint64_t fraction = bits & ((std::uint64_t{1} << 52) - 1);
  if (exponent == 0) return {bits >> 63 != 0, fraction, -1074};
  return {bits >> 63 != 0, fraction | std::uint64_t{1} << 52, exponent - 1075};
}

template <class Format>
constexpr unsigned encode(double value, Rounding mode) {
  if (value != value) return Format::sign - 1;  // the GPU's only NaN has all bits set but the sign
  const Unpacked parts = unpack(value);
  if (parts.exponent > 1024 - 53) return Format::infinity | (parts.negative ? Format::sign : 0);
  return encode<Format>(parts.negative, parts.significand, parts.exponent, mode);
}

template <class Format, class Integer>
constexpr unsigned encode_integer(Integer value, Rounding mode) {
  const auto bits = static_cast<std::uint64_t>(value);
  return encode<Format>(value < 0, value < 0 ? 0 - bits : bits, 0, mode);
}

/// Returns a + b rounded to odd, so that rounding it again to fewer bits gives the correctly rounded sum.
inline double add_to_odd(double a, double b) {
  const double sum = a + b;
  const double b_in = sum - a;
  const double error = (a - (sum - b_in)) + (b - b_in);
  const auto bits = bits_as<std::uint64_t>(sum);
  if (!__builtin_isfinite(sum) || error == 0 || (bits & 1)) return sum;
  return bits_as<double>((error > 0) == (sum > 0) ? bits + 1 : bits - 1);
}

/// Returns a 16-bit type from its bits, and the value of that type nearest to a float or double.
template <class T>
T from_bits_of(unsigned bits);
template <class T>
T nearest(float value);
template <class T>
T nearest(double value);

/// IEEE half precision. Both conversions are branch-free, so that a program's own store stays one store.
struct Half : SmallFormat<5, 10> {
  static constexpr float decode(unsigned bits) {
    const unsigned size = bits & 0x7fff;
    const float scaled = bits_as<float>(size << 13) * 0x1p112f;  // the float's bias is 112 larger; exact
    const unsigned special = size >= infinity ? 0x7f800000 : 0;
    return bits_as<float>(bits_as<unsigned>(scaled) | special | (bits & 0x8000) << 16);
  }
  /// Rounds to nearest by adding half of the last place to the float's bits; a float addition rounds subnormals.
  static constexpr unsigned encode_nearest(float value) {
    const unsigned bits = bits_as<unsigned>(value), size = bits & 0x7fffffff;
    const unsigned normal = (size - (112u << 23) + 0xfff + (size >> 13 & 1)) >> 13;
    const unsigned subnormal = bits_as<unsigned>(bits_as<float>(size) + 0.5f) - 0x3f000000;
    const unsigned finite = size < 0x38800000 ? subnormal : normal;
    const unsigned magnitude = size < 0x47800000 ? finite : infinity;
    return size > 0x7f800000 ? 0x7fff : magnitude | (bits >> 16 & 0x8000);
  }
};

/// bfloat16 is the upper half of a float.
struct Bfloat16 : SmallFormat<8, 7> {
  static constexpr float decode(unsigned bits) { return bits_as<float>(bits << 16); }
  static constexpr unsigned encode_nearest(float value) {
    const unsigned bits = bits_as<unsigned>(value);
    const unsigned rounded = (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
    return (bits & 0x7fffffff) > 0x7f800000 ? 0x7fff : rounded;
  }
};

}  // namespace rafter_simt
