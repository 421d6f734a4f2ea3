// What convolutions do with vectors of floats. Part of conv_simd.cpp: each level has functions of its own.
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

/// The first `n` lanes.
inline void store_some(float* to, Vector v, std::int64_t n) {
  if (n >= n_lanes) return store(to, v);
  for (std::int64_t i = 0; i < n; ++i) to[i] = v[i];
}
inline Vector larger(Vector a, Vector b) { return a > b ? a : b; }
constexpr std::int64_t smaller(std::int64_t a, std::int64_t b) { return a < b ? a : b; }
constexpr std::int64_t pieces(std::int64_t n, std::int64_t each) { return (n + each - 1) / each; }

/// Bias and ReLU. A NaN stays one.
inline Vector finished(Vector sum, Vector bias, bool relu) {
  const Vector value = sum + bias;
  return relu ? (value < Vector{} ? Vector{} : value) : value;
}

}  // namespace

}  // namespace rafter::conv_ladder::cpu
