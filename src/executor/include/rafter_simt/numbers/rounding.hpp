// Common parts of the numeric intrinsics: rounding modes, bit casts, values that are opaque to the optimiser, and
// conversions to integers that saturate as on the GPU.
#pragma once

#include <cfenv>
#include <cmath>
#include <limits>
#include <type_traits>

namespace rafter_simt {

enum class Rounding : int { nearest, zero, up, down };

template <class To, class From>
constexpr To bits_as(const From& from) {
  static_assert(sizeof(To) == sizeof(From));
  return __builtin_bit_cast(To, from);
}

// A register that holds a floating-point value.
#if defined(__aarch64__)
#define RAFTER_SIMT_FLOAT_REGISTER "+w"
#elif defined(__x86_64__)
#define RAFTER_SIMT_FLOAT_REGISTER "+x"
#else
#define RAFTER_SIMT_FLOAT_REGISTER "+m"
#endif

/// Returns the value, which the compiler cannot fuse into an fma with its uses.
template <class Float>
inline __attribute__((always_inline)) Float opaque(Float value) {
  asm("" : RAFTER_SIMT_FLOAT_REGISTER(value));
  return value;
}

/// Returns the value, computed at this point: not folded or moved across a change of rounding mode.
template <class T>
inline __attribute__((always_inline)) T pinned(T value) {
  if constexpr (std::is_floating_point_v<T>) {
    asm volatile("" : RAFTER_SIMT_FLOAT_REGISTER(value) : : "memory");
  } else {
    asm volatile("" : "+r"(value) : : "memory");
  }
  return value;
}
#undef RAFTER_SIMT_FLOAT_REGISTER

/// Evaluates operation(arguments...) in a rounding mode of the hardware.
template <Rounding Mode, class Operation, class... Arguments>
inline auto rounded(Operation operation, Arguments... arguments) {
  if constexpr (Mode == Rounding::nearest) {
    return operation(arguments...);
  } else {
    constexpr int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_UPWARD, FE_DOWNWARD};
    const int before = std::fegetround();
    std::fesetround(modes[static_cast<int>(Mode)]);
    const auto result = pinned(operation(pinned(arguments)...));
    std::fesetround(before);
    return result;
  }
}

template <Rounding Mode, class Float>
inline Float to_integral(Float value) {
  if constexpr (Mode == Rounding::nearest) return std::nearbyint(value);
  if constexpr (Mode == Rounding::zero) return std::trunc(value);
  if constexpr (Mode == Rounding::up) return std::ceil(value);
  return std::floor(value);
}

/// Rounds, then clamps to the integer's range. A NaN becomes 0, or only the top bit if either type has 64 bits, as on
/// the GPU.
template <class Integer, Rounding Mode, class Float>
inline Integer to_integer(Float value) {
  constexpr bool wide = sizeof(Integer) == 8 || sizeof(Float) == 8;
  constexpr int n_bits = 8 * sizeof(Integer);
  constexpr Integer top_bit = static_cast<Integer>(1ull << (n_bits - 1));
  if (value != value) return wide ? top_bit : Integer{0};
  const Float whole = to_integral<Mode>(value);
  constexpr Float end = static_cast<Float>(1ull << (n_bits - 1)) * (std::is_signed_v<Integer> ? 1 : 2);
  if (whole >= end) return std::numeric_limits<Integer>::max();
  if (whole < (std::is_signed_v<Integer> ? -end : Float{0})) return std::numeric_limits<Integer>::min();
  return static_cast<Integer>(whole);
}

}  // namespace rafter_simt
