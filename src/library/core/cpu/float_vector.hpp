// Float vectors of the level's width, for files compiled per instruction-set level (library/core/cpu/isa.hpp). All
// functions have internal linkage, so that the linker cannot replace one level's by another's.
#pragma once

#include <utility>

#include "library/core/cpu/isa.hpp"
#include "library/core/cpu/vector_fma.hpp"

#define RAFTER_UNROLL _Pragma("GCC unroll 32")

namespace rafter::core {
namespace {

constexpr int n_lanes = vector_bytes / 4;
typedef float Vector __attribute__((vector_size(vector_bytes)));  // NOLINT: an alias cannot have the attribute
#if defined(__AVX512F__) || defined(__aarch64__)
constexpr int n_registers = 32;
#else
constexpr int n_registers = 16;
#endif

inline Vector load(const float* from) {
  Vector v;
  __builtin_memcpy(&v, from, sizeof v);
  return v;
}
inline void store(float* to, Vector v) { __builtin_memcpy(to, &v, sizeof v); }
inline Vector in_all_lanes(float value) { return value - Vector{}; }

/// Returns the square root of each lane.
#if defined(__AVX512F__)
inline Vector sqrt(Vector v) {
  return _mm512_maskz_sqrt_ps(0xffff, v);
}  // g++ 12 warns about the variant without a mask
#elif defined(__AVX2__)
inline Vector sqrt(Vector v) { return _mm256_sqrt_ps(v); }
#elif defined(__x86_64__)
inline Vector sqrt(Vector v) { return _mm_sqrt_ps(v); }
#elif defined(__ARM_FEATURE_SVE_BITS) && __ARM_FEATURE_SVE_BITS == 256
inline Vector sqrt(Vector v) { return svsqrt_f32_x(svptrue_b32(), v); }
#else
inline Vector sqrt(Vector v) { return vsqrtq_f32(v); }
#endif

/// Returns v with lanes permuted: lane i takes lane i ^ Half.
template <int Half>
inline Vector swapped(Vector v) {
  return [&]<int... I>(std::integer_sequence<int, I...>) __attribute__((always_inline)) {
    return __builtin_shufflevector(v, v, (I ^ Half)...);
  }
  (std::make_integer_sequence<int, n_lanes>());
}

/// Returns the sum of all lanes, in all lanes.
inline Vector total(Vector v) {
  if constexpr (n_lanes > 8) v += swapped<8>(v);
  if constexpr (n_lanes > 4) v += swapped<4>(v);
  v += swapped<2>(v);
  return v + swapped<1>(v);
}

}  // namespace
}  // namespace rafter::core
