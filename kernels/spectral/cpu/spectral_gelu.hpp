// GELU in the lanes of vectors. Part of spectral_simd.cpp: every instruction-set level has its own copy.
//
// x/2 (1 + erf(x / sqrt 2)) = x (1/2 + x Q(x^2)), where Q(s) = erf(sqrt(s / 2)) / (2 sqrt s) is approximated by a
// polynomial: Q is entire and falls smoothly from 0.399 to 0.091 on 0 <= s < 5.5^2. From |x| = 5.5 on, GELU is x or 0
// to within 1.1e-7. Degree 15 is within 2e-8 of GELU, by least squares with weights adjusted until the extrema were
// equal. In u = 2 s / 5.5^2 - 1 the magnitudes of the coefficients add up to 0.4, so rounding errors stay small: in
// total |error| <= 2e-7 max(1, |x|). The worst error found is 1.64e-7 without fused multiply-adds and 1.44e-7 with
// them; the same formula with the C library's float erf has 1.06e-7.
#pragma once

#include <cstdint>

#include "library/core/cpu/float_vector.hpp"
#include "spectral/spectral_simd.hpp"

namespace rafter::spectral_ladder::cpu {

namespace {

constexpr float gelu_limit = 5.5F;
constexpr float gelu_coefficients[] = {0.12855193F,     -0.0641723424F,   0.0477374494F,   -0.0387924127F,
                                       0.0320737176F,   -0.0260538682F,   0.0203396212F,   -0.0149637489F,
                                       0.0103121186F,   -0.00692995824F,  0.00447751442F,  -0.00224018004F,
                                       0.000841155939F, -0.000673304312F, 0.000592047349F, -0.000190655119F};

/// Computes GELU of N vectors at a time, so that their chains of multiply-adds overlap.
template <int N>
__attribute__((always_inline)) inline void gelu_of(float* values) {
  using namespace core;
  constexpr int degree = sizeof gelu_coefficients / sizeof *gelu_coefficients - 1;
  constexpr float scale = 2 / (gelu_limit * gelu_limit);
  Vector x[N], u[N], q[N];
  RAFTER_UNROLL
  for (int i = 0; i < N; ++i) {
    x[i] = load(values + i * n_lanes);
    u[i] = fma(x[i] * x[i], in_all_lanes(scale), in_all_lanes(-1));
    q[i] = in_all_lanes(gelu_coefficients[degree]);
  }
  RAFTER_UNROLL
  for (int power = degree - 1; power >= 0; --power) {
    RAFTER_UNROLL
    for (int i = 0; i < N; ++i) q[i] = fma(q[i], u[i], in_all_lanes(gelu_coefficients[power]));
  }
  RAFTER_UNROLL
  for (int i = 0; i < N; ++i) {
    const Vector limit = in_all_lanes(gelu_limit);
    Vector share = fma(x[i], q[i], in_all_lanes(0.5F));  // of x
    share = x[i] >= limit ? in_all_lanes(1) : share;
    share = x[i] <= -limit ? Vector{} : share;  // a NaN satisfies neither comparison and stays
    store(values + i * n_lanes, x[i] * share);
  }
}

void gelu(float* values, std::int64_t n) {
  constexpr int together = core::n_registers / 4;
  constexpr int at_least = panel_width / core::n_lanes < together ? panel_width / core::n_lanes : together;
  std::int64_t i = 0;
  for (; i + together * core::n_lanes <= n; i += together * core::n_lanes) gelu_of<together>(values + i);
  for (; i < n; i += at_least * core::n_lanes) gelu_of<at_least>(values + i);
}

}  // namespace

}  // namespace rafter::spectral_ladder::cpu
