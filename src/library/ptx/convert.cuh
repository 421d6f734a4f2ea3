// cvt: floats of 16 bits to and from float. Rounds to nearest, ties to even; beyond the largest number it is infinity,
// and every NaN becomes the one whose bits are all set but the sign. From compute capability 8.0 on.
#pragma once

#include <cstdint>

#include "library/ptx/target.cuh"
#include "rafter/half.hpp"

namespace rafter::ptx {
inline namespace RAFTER_BACKEND {

/// cvt.f32.f16, exact.
__device__ __forceinline__ float to_float(Half value) {
#ifdef RAFTER_SIMT
  return static_cast<float>(value);
#else
  float wide;
  asm("cvt.f32.f16 %0, %1;" : "=f"(wide) : "h"(value.bits));
  return wide;
#endif
}

/// Exact: its bits are a float's upper half. (cvt.f32.bf16 is for 9.0 and no faster.)
__device__ __forceinline__ float to_float(Bfloat16 value) { return static_cast<float>(value); }

#ifdef RAFTER_SIMT
/// As the hardware has it.
template <class T>
__device__ std::uint16_t rounded_bits(float value) {
  return value != value ? std::uint16_t{0x7fff} : T(value).bits;
}
#endif

/// cvt.rn.f16.f32 or cvt.rn.bf16.f32, for T Half or Bfloat16.
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

/// cvt.rn.f16x2.f32 or cvt.rn.bf16x2.f32: two neighbours at once, `low` in the lower half, which comes first in memory.
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
