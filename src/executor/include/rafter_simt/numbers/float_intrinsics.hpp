// Arithmetic with a rounding mode (__fadd_rz, __ddiv_ru, ...), never contracted to an fma, and the fast approximations
// (__expf, __sinf, ...), which are accurate here.
#pragma once

#include <math.h>

#include "rafter_simt/numbers/lane_math.hpp"
#include "rafter_simt/numbers/rounding.hpp"

// Defines __f<name>_<mode> on float and __d<name>_<mode> on double. Results rounded to nearest are opaque as well, so
// that a later add is not fused with a product.
#define RAFTER_SIMT_IN_MODE(NAME, SUFFIX, MODE, T, PARAMETERS, ARGUMENTS, EXPRESSION)                            \
  inline T NAME##_##SUFFIX PARAMETERS {                                                                          \
    return rafter_simt::opaque(                                                                                  \
        rafter_simt::rounded<rafter_simt::Rounding::MODE>([] PARAMETERS -> T { return EXPRESSION; } ARGUMENTS)); \
  }
#define RAFTER_SIMT_SPREAD(...) , __VA_ARGS__
#define RAFTER_SIMT_FOUR_MODES(NAME, T, PARAMETERS, ARGUMENTS, EXPRESSION)                        \
  RAFTER_SIMT_IN_MODE(NAME, rn, nearest, T, PARAMETERS, RAFTER_SIMT_SPREAD ARGUMENTS, EXPRESSION) \
  RAFTER_SIMT_IN_MODE(NAME, rz, zero, T, PARAMETERS, RAFTER_SIMT_SPREAD ARGUMENTS, EXPRESSION)    \
  RAFTER_SIMT_IN_MODE(NAME, ru, up, T, PARAMETERS, RAFTER_SIMT_SPREAD ARGUMENTS, EXPRESSION)      \
  RAFTER_SIMT_IN_MODE(NAME, rd, down, T, PARAMETERS, RAFTER_SIMT_SPREAD ARGUMENTS, EXPRESSION)

RAFTER_SIMT_FOUR_MODES(__fadd, float, (float x, float y), (x, y), x + y)
RAFTER_SIMT_FOUR_MODES(__fsub, float, (float x, float y), (x, y), x - y)
RAFTER_SIMT_FOUR_MODES(__fmul, float, (float x, float y), (x, y), x* y)
RAFTER_SIMT_FOUR_MODES(__fdiv, float, (float x, float y), (x, y), x / y)
RAFTER_SIMT_FOUR_MODES(__fmaf, float, (float x, float y, float z), (x, y, z), fmaf(x, y, z))
RAFTER_SIMT_FOUR_MODES(__fmaf_ieee, float, (float x, float y, float z), (x, y, z), fmaf(x, y, z))
RAFTER_SIMT_FOUR_MODES(__frcp, float, (float x), (x), 1.0f / x)
RAFTER_SIMT_FOUR_MODES(__fsqrt, float, (float x), (x), sqrtf(x))
RAFTER_SIMT_FOUR_MODES(__dadd, double, (double x, double y), (x, y), x + y)
RAFTER_SIMT_FOUR_MODES(__dsub, double, (double x, double y), (x, y), x - y)
RAFTER_SIMT_FOUR_MODES(__dmul, double, (double x, double y), (x, y), x* y)
RAFTER_SIMT_FOUR_MODES(__ddiv, double, (double x, double y), (x, y), x / y)
RAFTER_SIMT_FOUR_MODES(__fma, double, (double x, double y, double z), (x, y, z), fma(x, y, z))
RAFTER_SIMT_FOUR_MODES(__drcp, double, (double x), (x), 1.0 / x)
RAFTER_SIMT_FOUR_MODES(__dsqrt, double, (double x), (x), sqrt(x))
#undef RAFTER_SIMT_FOUR_MODES
#undef RAFTER_SIMT_SPREAD
#undef RAFTER_SIMT_IN_MODE

/// Returns 1 / sqrt(x), correctly rounded: if the double result is near the midpoint m of two floats, the sign of m * m
/// * x - 1 decides.
inline float __frsqrt_rn(float x) {
  const double root = 1.0 / ::sqrt(static_cast<double>(x));
  const float near = static_cast<float>(root);
  if (!(root > 0) || __builtin_isinf(root) || near == root) return near;
  const float other = nextafterf(near, root > near ? HUGE_VALF : 0.0f);
  const double middle = 0.5 * (static_cast<double>(near) + other);
  const float low = near < other ? near : other, high = near < other ? other : near;
  return ::fma(middle * middle, static_cast<double>(x), -1.0) < 0 ? high : low;
}

inline float __saturatef(float x) { return x > 0 ? (x < 1 ? x : 1.0f) : 0.0f; }
inline float fdividef(float x, float y) { return x / y; }
inline double fdivide(double x, double y) { return x / y; }
/// Returns x / y; zero for divisors above 2^126 (NaN for an infinite x), as documented.
inline float __fdividef(float x, float y) {
  const float size = fabsf(y);
  return size > 0x1p126f && size <= 0x1.fffffep127f ? x * copysignf(0.0f, y) : x / y;
}

// glibc declares these with C linkage but does not export them, so inline definitions suffice.
#define RAFTER_SIMT_FAST extern "C" inline __attribute__((always_inline))
RAFTER_SIMT_FAST float __expf(float x) noexcept { return rafter_simt::lane_expf(x); }
RAFTER_SIMT_FAST float __exp10f(float x) noexcept { return static_cast<float>(::pow(10.0, x)); }
RAFTER_SIMT_FAST float __logf(float x) noexcept { return rafter_simt::lane_logf(x); }
RAFTER_SIMT_FAST float __log2f(float x) noexcept { return log2f(x); }
RAFTER_SIMT_FAST float __log10f(float x) noexcept { return log10f(x); }
RAFTER_SIMT_FAST float __sinf(float x) noexcept { return sinf(x); }
RAFTER_SIMT_FAST float __cosf(float x) noexcept { return cosf(x); }
RAFTER_SIMT_FAST float __tanf(float x) noexcept { return tanf(x); }
RAFTER_SIMT_FAST float __tanhf(float x) noexcept { return tanhf(x); }
RAFTER_SIMT_FAST float __powf(float x, float y) noexcept { return powf(x, y); }
RAFTER_SIMT_FAST void __sincosf(float x, float* sine, float* cosine) noexcept {
  *sine = sinf(x);
  *cosine = cosf(x);
}
#undef RAFTER_SIMT_FAST
