// LayerNorm and squared errors of rows, with vectors along a row. Part of spectral_simd.cpp: every instruction-set
// level has its own copy.
#pragma once

#include "library/core/cpu/float_vector.hpp"
#include "spectral/spectral_simd.hpp"

namespace rafter::spectral_ladder::cpu {

namespace {

/// Returns the first `n` lanes, and zeros; does not read memory after them.
inline core::Vector load_first(const float* from, std::int64_t n) {
  if (n == core::n_lanes) return core::load(from);
  core::Vector v{};
  for (std::int64_t i = 0; i < n; ++i) v[i] = from[i];
  return v;
}

inline core::Vector first_lanes(core::Vector v, std::int64_t n) {
  for (std::int64_t i = n; i < core::n_lanes; ++i) v[i] = 0;
  return v;
}

/// Calls f(i, elements from i on) for each vector of n elements; the last may have fewer.
template <class F>
inline void for_each_vector(std::int64_t n, const F& f) {
  std::int64_t i = 0;
  for (; i + core::n_lanes <= n; i += core::n_lanes) f(i, core::n_lanes);
  if (i < n) f(i, n - i);
}

/// Processes N rows at a time, so that their sums overlap.
template <int N>
void normalise_rows(Rows<const float> in, std::int64_t n, float epsilon, Rows<float> out) {
  using namespace core;
  const Vector share = in_all_lanes(1 / static_cast<float>(n));
  Vector mean[N] = {}, squares[N] = {}, scale[N];
  for_each_vector(
      n, [&](std::int64_t i, std::int64_t left) __attribute__((always_inline)) {
        RAFTER_UNROLL
        for (int row = 0; row < N; ++row) mean[row] += load_first(in.data + row * in.pitch + i, left);
      });
  RAFTER_UNROLL
  for (int row = 0; row < N; ++row) mean[row] = total(mean[row]) * share;
  for_each_vector(
      n, [&](std::int64_t i, std::int64_t left) __attribute__((always_inline)) {
        RAFTER_UNROLL
        for (int row = 0; row < N; ++row) {
          const Vector off = first_lanes(load_first(in.data + row * in.pitch + i, left) - mean[row], left);
          squares[row] = fma(off, off, squares[row]);
          store(out.data + row * out.pitch + i, off);
        }
      });
  RAFTER_UNROLL
  for (int row = 0; row < N; ++row) {
    const float variance = (total(squares[row]) * share)[0];
    scale[row] = in_all_lanes(1 / __builtin_sqrtf(variance + epsilon));
  }
  for (std::int64_t i = 0; i < n; i += n_lanes) {
    RAFTER_UNROLL
    for (int row = 0; row < N; ++row) {
      float* values = out.data + row * out.pitch + i;
      store(values, load(values) * scale[row]);
    }
  }
}

void normalise(Rows<const float> in, std::int64_t n_rows, std::int64_t n, float epsilon, Rows<float> out) {
  constexpr int together = 4;
  const auto from = [&](std::int64_t row) { return Rows<const float>{in.data + row * in.pitch, in.pitch}; };
  const auto to = [&](std::int64_t row) { return Rows<float>{out.data + row * out.pitch, out.pitch}; };
  std::int64_t row = 0;
  for (; row + together <= n_rows; row += together) normalise_rows<together>(from(row), n, epsilon, to(row));
  for (; row < n_rows; ++row) normalise_rows<1>(from(row), n, epsilon, to(row));
}

float mean_squared_error(const float* a, const float* b, std::int64_t n) {
  using namespace core;
  Vector squares{};
  for_each_vector(
      n, [&](std::int64_t i, std::int64_t left) __attribute__((always_inline)) {
        const Vector off = load_first(a + i, left) - load_first(b + i, left);
        squares = fma(off, off, squares);
      });
  return total(squares)[0] / static_cast<float>(n);
}

}  // namespace

}  // namespace rafter::spectral_ladder::cpu
