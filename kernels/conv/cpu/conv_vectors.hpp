// Vector helpers of the convolution loops. A part of conv_simd.cpp: each instruction-set level has its own copy.
#pragma once

#include <cstdint>

#include "library/core/cpu/float_vector.hpp"

namespace rafter::conv_ladder::cpu {

namespace {

using core::in_all_lanes;
using core::load;
using core::n_lanes;
using core::n_registers;
using core::store;
using core::Vector;

/// Stores the first `n` lanes.
inline void store_some(float* to, Vector v, std::int64_t n) {
  if (n >= n_lanes) return store(to, v);
  for (std::int64_t i = 0; i < n; ++i) to[i] = v[i];
}
inline Vector larger(Vector a, Vector b) { return a > b ? a : b; }
constexpr std::int64_t smaller(std::int64_t a, std::int64_t b) { return a < b ? a : b; }
constexpr std::int64_t pieces(std::int64_t n, std::int64_t each) { return (n + each - 1) / each; }

/// Applies bias and ReLU; propagates NaN.
inline Vector finished(Vector sum, Vector bias, bool relu) {
  const Vector value = sum + bias;
  return relu ? (value < Vector{} ? Vector{} : value) : value;
}

}  // namespace

}  // namespace rafter::conv_ladder::cpu
