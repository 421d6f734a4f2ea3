// expf and logf for kernels of a plain build: without branches, tables and calls, so that a loop over threads that uses
// them can be vectorised. Both are accurate to less than one unit in the last place (checked by
// tests/executor/numbers); a GPU's are accurate to one. Without fused multiply-add on the CPU, and in checked builds,
// the C library's are used.
#pragma once

#include <math.h>

namespace rafter_simt {

#if defined(__FP_FAST_FMAF) && !defined(RAFTER_SIMT_CHECKED)

inline float from_bits(int bits) { return __builtin_bit_cast(float, bits); }

/// Returns 2 to the n-th power, for n in a float's exponent range.
inline float power_of_two(int n) { return from_bits((n + 127) << 23); }

inline __attribute__((always_inline)) float lane_expf(float x) {
  // Beyond these bounds the result is infinite or zero. The comparisons preserve NaN.
  const float low = x < -104.0f ? -104.0f : x, y = low > 89.0f ? 89.0f : low;
  const float n = __builtin_rintf(y * 0x1.715476p+0f);
  const float r = __builtin_fmaf(n, -0x1.7f7d1cp-20f, __builtin_fmaf(n, -0x1.62e4p-1f, y));  // y - n log 2
  float p = 0x1.a1258cp-13f;  // (exp(r) - 1 - r) / r^2 for |r| < 0.347
  p = __builtin_fmaf(p, r, 0x1.6d43d2p-10f);
  p = __builtin_fmaf(p, r, 0x1.1110ep-7f);
  p = __builtin_fmaf(p, r, 0x1.5554e8p-5f);
  p = __builtin_fmaf(p, r, 0x1.555556p-3f);
  p = __builtin_fmaf(p, r, 0.5f);
  const float e = __builtin_fmaf(p * r, r, r) + 1.0f;
  // Scales in two steps, so that subnormal results are rounded once.
  const int whole = static_cast<int>(n), half = whole >> 1;
  return e * power_of_two(half) * power_of_two(whole - half);
}

inline __attribute__((always_inline)) float lane_logf(float x) {
  const bool is_tiny = x < 0x1p-126f;
  const float y = is_tiny ? x * 0x1p23f : x;
  const int bits = __builtin_bit_cast(int, y), exponent = (bits - 0x3f2aaaab) & static_cast<int>(0xff800000);
  const float n = static_cast<float>(exponent) * 0x1p-23f - (is_tiny ? 23.0f : 0.0f);
  const float m = from_bits(bits - exponent) - 1.0f;  // y = 2^n (1 + m), |m| <= 1/3
  float p = 0x1.d01a22p-4f;                           // (log(1 + m) - m + m^2 / 2) / m^3
  p = __builtin_fmaf(p, m, -0x1.fcd036p-4f);
  p = __builtin_fmaf(p, m, 0x1.bf1afp-4f);
  p = __builtin_fmaf(p, m, -0x1.f75896p-4f);
  p = __builtin_fmaf(p, m, 0x1.24b28cp-3f);
  p = __builtin_fmaf(p, m, -0x1.557832p-3f);
  p = __builtin_fmaf(p, m, 0x1.999954p-3f);
  p = __builtin_fmaf(p, m, -0x1.ffffb6p-3f);
  p = __builtin_fmaf(p, m, 0x1.555556p-2f);
  const float square = m * m;
  const float tail = __builtin_fmaf(p * m, square, -0.5f * square);
  const float value = __builtin_fmaf(n, 0x1.62e43p-1f, __builtin_fmaf(n, -0x1.05c61p-29f, tail) + m);
  const float at_ends = x == 0 ? -__builtin_inff() : x < 0 ? __builtin_nanf("") : x + x;
  return x > 0 && x < __builtin_inff() ? value : at_ends;
}

#else

inline float lane_expf(float x) { return expf(x); }
inline float lane_logf(float x) { return logf(x); }

#endif

}  // namespace rafter_simt
