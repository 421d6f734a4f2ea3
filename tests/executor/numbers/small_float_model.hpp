// A model of a 16-bit format by definition: all its values in order, and rounding by search among them.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "cuda_bf16.h"
#include "cuda_fp16.h"

namespace rafter_simt::test {

struct HalfTraits {
  using Type = __half;
  using Pair = __half2;
  static constexpr int mantissa_bits = 10, bias = 15;
  static unsigned bits(Type h) { return __half_as_ushort(h); }
  static Type type(unsigned bits) { return __ushort_as_half(static_cast<unsigned short>(bits)); }
  static float wide(Type h) { return __half2float(h); }
};

struct Bfloat16Traits {
  using Type = __nv_bfloat16;
  using Pair = __nv_bfloat162;
  static constexpr int mantissa_bits = 7, bias = 127;
  static unsigned bits(Type h) { return __bfloat16_as_ushort(h); }
  static Type type(unsigned bits) { return __ushort_as_bfloat16(static_cast<unsigned short>(bits)); }
  static float wide(Type h) { return __bfloat162float(h); }
};

template <class Traits>
class Model {
 public:
  static constexpr unsigned infinity = 0x7fffu >> Traits::mantissa_bits << Traits::mantissa_bits;
  static constexpr unsigned nan = 0x7fff;

  Model() {
    for (unsigned bits = 0; bits < infinity; ++bits) values_.push_back(magnitude(bits));
    values_.push_back(2 * magnitude(infinity - 1) - magnitude(infinity - 2));  // the value after the largest finite one
  }

  static double magnitude(unsigned bits) {
    const int exponent = static_cast<int>(bits >> Traits::mantissa_bits);
    const double fraction = bits & ((1u << Traits::mantissa_bits) - 1);
    const double one = 1 << Traits::mantissa_bits;
    if (exponent == 0) return std::ldexp(fraction / one, 1 - Traits::bias);
    return std::ldexp(1 + fraction / one, exponent - Traits::bias);
  }
  static double value(unsigned bits) {
    const unsigned size = bits & 0x7fff;
    if (size > infinity) return NAN;
    const double magnitude_of = size == infinity ? HUGE_VAL : magnitude(size);
    return bits & 0x8000 ? -magnitude_of : magnitude_of;
  }

  /// Returns the bits nearest to the sum of a double and a rest below its last place.
  unsigned nearest(double x, double rest = 0) const {
    if (std::isnan(x)) return nan;
    const unsigned sign = std::signbit(x) ? 0x8000 : 0;
    const double size = std::fabs(x);
    const double rest_of_size = sign ? -rest : rest;
    if (std::isinf(x)) return sign | infinity;
    const auto above = std::upper_bound(values_.begin(), values_.end(), size);
    if (above == values_.end()) return sign | infinity;
    const auto low = static_cast<unsigned>(above - values_.begin()) - 1;
    const double to_low = size - values_[low],
                 to_high = values_[low + 1] - size;  // exact: all have nearby exponents
    const double lead = (to_low - to_high) + 2 * rest_of_size;
    const unsigned result = lead > 0 || (lead == 0 && low % 2 == 1) ? low + 1 : low;
    return sign | (result >= infinity ? infinity : result);
  }
  unsigned below(double x) const { return std::signbit(x) ? 0x8000 | away(-x) : toward(x); }
  unsigned above(double x) const { return std::signbit(x) ? 0x8000 | toward(-x) : away(x); }
  unsigned toward_zero(double x) const { return std::signbit(x) ? 0x8000 | toward(-x) : toward(x); }

 private:
  unsigned toward(double size) const {
    if (std::isinf(size)) return infinity;
    const auto above = std::upper_bound(values_.begin(), values_.end(), size);
    return std::min(static_cast<unsigned>(above - values_.begin()) - 1, infinity - 1);
  }
  unsigned away(double size) const {
    const unsigned low = toward(size);
    return low == infinity || values_[low] == size ? low : low + 1;
  }

  std::vector<double> values_;
};

/// Calls `function` with doubles that are hard to round: around every value, around every midpoint, and random ones.
template <class Traits, class Function>
void for_each_hard_value(Function function) {
  using M = Model<Traits>;
  for (unsigned bits = 0; bits < M::infinity; ++bits) {
    const double low = M::magnitude(bits);
    const double high = bits + 1 < M::infinity ? M::magnitude(bits + 1) : 2 * low - M::magnitude(bits - 1);
    for (const double x : {low, (low + high) / 2, low + (high - low) / 4, high}) {
      for (const double y : {x, std::nextafter(x, 0.0), std::nextafter(x, HUGE_VAL)}) {
        function(y);
        function(-y);
      }
    }
  }
}

}  // namespace rafter_simt::test
