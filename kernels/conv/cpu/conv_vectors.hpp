// Vectors of floats as wide as the level has them. Part of conv_simd.cpp: each level has functions of its own.
#pragma once

#include <cstdint>

#include "core/isa.hpp"
#include "core/vector_fma.hpp"

namespace rafter::conv_ladder::cpu {

namespace {

constexpr int n_lanes = core::vector_bytes / 4;
typedef float Vector __attribute__((vector_size(core::vector_bytes)));  // NOLINT: an alias cannot have the attribute
#if defined(__AVX512F__) || defined(__aarch64__)
constexpr int n_registers = 32;
#else
constexpr int n_registers = 16;
#endif

#define RAFTER_UNROLL _Pragma("GCC unroll 32")

inline Vector load(const float* from) {
  Vector v;
  __builtin_memcpy(&v, from, sizeof v);
  return v;
}
inline void store(float* to, Vector v) { __builtin_memcpy(to, &v, sizeof v); }
/// The first `n` lanes.
inline void store_some(float* to, Vector v, std::int64_t n) {
  if (n >= n_lanes) return store(to, v);
  for (std::int64_t i = 0; i < n; ++i) to[i] = v[i];
}
inline Vector in_all_lanes(float value) { return value - Vector{}; }
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
