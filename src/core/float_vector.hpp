// Vectors of floats as wide as the level has them, for files that are compiled per instruction-set level
// (core/isa.hpp). Each file has functions of its own: the linker must not choose among levels.
#pragma once

#include "core/isa.hpp"
#include "core/vector_fma.hpp"

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

}  // namespace
}  // namespace rafter::core
