// cvt: conversions between 16-bit floats and float. Rounds to nearest, ties to even; values beyond the largest number
// become infinity, and every NaN becomes the one with all bits set but the sign. Compute capability 8.0 and later.
#pragma once

#include <cstdint>

#include "library/ptx/target.cuh"
#include "rafter/half.hpp"

namespace rafter::ptx {
inline namespace RAFTER_BACKEND {

/// Converts exactly (cvt.f32.f16).
__device__ __forceinline__ float to_float(Half value) {
#ifdef RAFTER_SIMT
  return static_cast<float>(value);
#else
  float wide;
  asm("cvt.f32.f16 %0, %1;" : "=f"(wide) : "h"(value.bits));
  return wide;
#endif
}

/// Converts exactly: the bits are a float's upper half. (cvt.f32.bf16 requires 9.0 and is no faster.)
__device__ __forceinline__ float to_float(Bfloat16 value) { return static_cast<float>(value); }

#ifdef RAFTER_SIMT
/// Rounds like the hardware, with its canonical NaN.
template <class T>
__device__ std::uint16_t rounded_bits(float value) {
  return value != value ? std::uint16_t{0x7fff} : T(value).bits;
}
#endif

/// Rounds to Half or Bfloat16 (cvt.rn.f16.f32, cvt.rn.bf16.f32).
template <class T>
__device__ T from_float(float value);

template <>
__device__ __forceinline__ Half from_float<Half>(float value) {
  Half narrow;
#ifdef RAFTER_SIMT
  narrow.bits = rounded_bits<Half>(value);
#else
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(narrow.bits) : "f"(value));
#endif
  return narrow;
}

template <>
__device__ __forceinline__ Bfloat16 from_float<Bfloat16>(float value) {
  Bfloat16 narrow;
#ifdef RAFTER_SIMT
  narrow.bits = rounded_bits<Bfloat16>(value);
#else
  asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(narrow.bits) : "f"(value));
#endif
  return narrow;
}

/// Rounds two adjacent elements at once (cvt.rn.f16x2.f32, cvt.rn.bf16x2.f32); `low` is the lower half, which is first
/// in memory.
template <class T>
__device__ unsigned pair_from_floats(float low, float high);

template <>
__device__ __forceinline__ unsigned pair_from_floats<Half>(float low, float high) {
#ifdef RAFTER_SIMT
  return rounded_bits<Half>(low) | static_cast<unsigned>(rounded_bits<Half>(high)) << 16;
#else
  unsigned pair;
  asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(high), "f"(low));
  return pair;
#endif
}

template <>
__device__ __forceinline__ unsigned pair_from_floats<Bfloat16>(float low, float high) {
#ifdef RAFTER_SIMT
  return rounded_bits<Bfloat16>(low) | static_cast<unsigned>(rounded_bits<Bfloat16>(high)) << 16;
#else
  unsigned pair;
  asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(high), "f"(low));
  return pair;
#endif
}

}  // namespace RAFTER_BACKEND
}  // namespace rafter::ptx
