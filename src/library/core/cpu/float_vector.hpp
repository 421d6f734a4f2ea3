// Vectors of floats as wide as the level has them, for files that are compiled per instruction-set level
// (library/core/cpu/isa.hpp). Each file has functions of its own: the linker must not choose among levels.
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

/// The square root of each lane.
#if defined(__AVX512F__)
inline Vector sqrt(Vector v) { return _mm512_maskz_sqrt_ps(0xffff, v); }  // g++ 12 warns of the one without a mask
#elif defined(__AVX2__)
inline Vector sqrt(Vector v) { return _mm256_sqrt_ps(v); }
#elif defined(__x86_64__)
inline Vector sqrt(Vector v) { return _mm_sqrt_ps(v); }
#else
inline Vector sqrt(Vector v) { return vsqrtq_f32(v); }
#endif

/// v with its lanes in another order: lane i takes lane i ^ Half.
template <int Half>
inline Vector swapped(Vector v) {
  return [&]<int... I>(std::integer_sequence<int, I...>) __attribute__((always_inline)) {
    return __builtin_shufflevector(v, v, (I ^ Half)...);
  }
  (std::make_integer_sequence<int, n_lanes>());
}

/// The sum of all lanes, in all lanes.
inline Vector total(Vector v) {
  if constexpr (n_lanes > 8) v += swapped<8>(v);
  if constexpr (n_lanes > 4) v += swapped<4>(v);
  v += swapped<2>(v);
  return v + swapped<1>(v);
}

}  // namespace
}  // namespace rafter::core
