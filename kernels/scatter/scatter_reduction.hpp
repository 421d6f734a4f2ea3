// The combination of the elements of one key, on every device. A state is what is combined: a sum, or for min and max
// of floats an integer of the same order, in which a NaN comes after everything and -0 before +0, so that the result
// does not depend on the order of comparisons.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "library/core/dtype.hpp"
#include "rafter/scatter.hpp"

#if defined(__CUDACC__) || defined(RAFTER_SIMT)
#include "library/ptx/device_build.cuh"
#else
#define RAFTER_BACKEND cpu
#endif

namespace rafter::scatter_ladder::RAFTER_BACKEND {

template <std::size_t Bytes>
using BitsOf = std::conditional_t<Bytes == 4, std::uint32_t, std::uint64_t>;

/// Reduction::sum, and with counts Reduction::mean. Integers are added as unsigned ones, which wrap around. T is the
/// type of the arithmetic: float for 16-bit elements.
template <class T>
struct Sum {
  static constexpr Reduction reduction = Reduction::sum;
  using Element = T;
  using State = std::conditional_t<std::is_integral_v<T>, BitsOf<sizeof(T)>, T>;
  static constexpr State identity() { return 0; }
  static constexpr State from(T value) { return static_cast<State>(value); }
  static constexpr T value(State state) { return static_cast<T>(state); }
  static constexpr State combine(State a, State b) { return a + b; }
};

/// Reduction::min or Reduction::max.
template <class T, Reduction R>
struct Extreme {
  static constexpr Reduction reduction = R;
  using Element = T;
  using Bits = BitsOf<sizeof(T)>;
  using State = std::conditional_t<std::is_integral_v<T>, T, Bits>;
  static constexpr Bits sign = Bits{1} << (8 * sizeof(T) - 1);

  static constexpr T bound() {  // every element is better
    using Limits = std::numeric_limits<T>;
    const bool is_max = R == Reduction::max;
    if constexpr (std::is_integral_v<T>) {
      return is_max ? Limits::lowest() : Limits::max();
    } else {
      return is_max ? -Limits::infinity() : Limits::infinity();
    }
  }
  static constexpr State identity() { return from(bound()); }

  static constexpr State from(T value) {
    if constexpr (std::is_integral_v<T>) {
      return value;
    } else {
      Bits bits = std::bit_cast<Bits>(value);
      if (value != value) bits = R == Reduction::max ? static_cast<Bits>(~sign) : static_cast<Bits>(~Bits{0});
      return (bits & sign) != 0 ? static_cast<Bits>(~bits) : static_cast<Bits>(bits | sign);
    }
  }
  static constexpr T value(State state) {
    if constexpr (std::is_integral_v<T>) {
      return state;
    } else {
      return std::bit_cast<T>((state & sign) != 0 ? static_cast<Bits>(state & ~sign) : static_cast<Bits>(~state));
    }
  }
  static constexpr State combine(State a, State b) {
    if constexpr (R == Reduction::max) return a < b ? b : a;
    return b < a ? b : a;
  }
};

/// The reducer that adds up elements of T.
template <class T>
using SumOf = Sum<core::Accumulator<T>>;

/// Calls `call` with an object of the type that combines elements of T by `reduction`.
template <class T, class Call>
void with_reduction(Reduction reduction, Call&& call) {
  using Wide = core::Accumulator<T>;
  switch (reduction) {
    case Reduction::sum:
    case Reduction::mean: return call(Sum<Wide>{});
    case Reduction::min: return call(Extreme<Wide, Reduction::min>{});
    case Reduction::max: return call(Extreme<Wide, Reduction::max>{});
  }
}

/// Returns the mean of a key: correctly rounded for floats, truncated towards zero for integers; 0 without elements.
template <class T>
constexpr T mean_of(core::Accumulator<T> sum, std::int64_t count) {
  if (count == 0) return T{};
  if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(static_cast<std::int64_t>(sum) / count);
  } else {
    return static_cast<T>(static_cast<double>(sum) / static_cast<double>(count));
  }
}

}  // namespace rafter::scatter_ladder::RAFTER_BACKEND
