// SiLU and its derivative in the lanes of vectors. A part of forcefield_simd.cpp: each instruction-set level has its
// own copy.
//
// x / (1 + exp(-x)) with exp(y) = 2^n exp(r), n the integer nearest to y / log 2. |r| <= log(2) / 2, where the
// polynomial (of Cephes' expf) is within 1e-7 of exp. The share 1 / (1 + exp(-x)) is at most three roundings further:
// SiLU is within 2.5e-7 of its magnitude from -87 on, and within 1e-35 of zero below.
#pragma once

#include "forcefield/forcefield_simd.hpp"
#include "library/core/cpu/float_vector.hpp"

namespace rafter::forcefield_ladder::cpu {

namespace {

typedef std::int32_t Integers __attribute__((vector_size(core::vector_bytes)));  // NOLINT: as core::Vector

/// Computes exp(x) for |x| <= 87, clamped to its value there beyond; propagates NaN.
__attribute__((always_inline)) inline core::Vector exp_of(core::Vector x) {
  using namespace core;
  constexpr float limit = 87, inverse_log2 = 1.44269504F, upper_log2 = 0.693359375F, lower_log2 = -2.12194440e-4F;
  constexpr float coefficients[] = {1.9875691500e-4F, 1.3981999507e-3F, 8.3334519073e-3F,
                                    4.1665795894e-2F, 1.6666665459e-1F, 5.0000001201e-1F};
  constexpr float rounder = 12582912;  // 1.5 2^23: adding it rounds to an integer
  x = x > in_all_lanes(limit) ? in_all_lanes(limit) : x;
  x = x < in_all_lanes(-limit) ? in_all_lanes(-limit) : x;
  const Vector rounded = fma(x, in_all_lanes(inverse_log2), in_all_lanes(rounder));
  const Vector n = rounded - in_all_lanes(rounder);
  const Vector r = fma(n, in_all_lanes(-lower_log2), fma(n, in_all_lanes(-upper_log2), x));
  Vector sum = in_all_lanes(coefficients[0]);
  RAFTER_UNROLL
  for (int i = 1; i < 6; ++i) sum = fma(sum, r, in_all_lanes(coefficients[i]));
  const Vector power = fma(sum, r * r, r) + in_all_lanes(1);
  // The integer is in the lowest bits of `rounded`. If `rounded` is NaN, so is the polynomial that is scaled.
  const Integers exponent = (reinterpret_cast<Integers>(rounded) + 127) << 23;
  return power * reinterpret_cast<Vector>(exponent);
}

void silu(Rows<float> values, Rows<float> slopes, std::int64_t n_rows, std::int64_t n) {
  using namespace core;
  for (std::int64_t row = 0; row < n_rows; ++row) {
    for (std::int64_t i = 0; i < n; i += n_lanes) {
      float* const at = values.data + row * values.pitch + i;
      const Vector x = load(at), one = in_all_lanes(1);
      const Vector power = exp_of(-x), share = one / (one + power);
      const Vector value = x * share;
      store(at, value);
      store(slopes.data + row * slopes.pitch + i, fma(value, power * share, share));
    }
  }
}

}  // namespace

}  // namespace rafter::forcefield_ladder::cpu
