// The 8-bit floating-point types e4m3 and e5m2, their pairs and quads, and the conversions between them and wider
// types.
#pragma once

#include "rafter_simt/numbers/bf16.hpp"
#include "rafter_simt/numbers/fp16.hpp"

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;
typedef enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE } __nv_saturation_t;
typedef enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 } __nv_fp8_interpretation_t;

namespace rafter_simt {

/// e4m3 has no infinities: its largest magnitude is NaN, the next 448.
struct E4m3 : SmallFormat<4, 3> {
  static constexpr unsigned largest = 0x7e, overflow = 0x7f;
};
/// e5m2 is the upper half of a half.
struct E5m2 : SmallFormat<5, 2> {
  static constexpr unsigned largest = 0x7b, overflow = infinity;
};

template <class Format>
constexpr unsigned char to_fp8(double value, __nv_saturation_t saturation) {
  if (value != value) return 0x7f;
  const Unpacked parts = unpack(value);
  const bool infinite = parts.exponent > 1024 - 53;
  unsigned magnitude =
      infinite ? Format::overflow
               : round_magnitude<Format>(parts.negative, parts.significand, parts.exponent, Rounding::nearest);
  if (magnitude > Format::largest) magnitude = saturation == __NV_SATFINITE ? Format::largest : Format::overflow;
  return static_cast<unsigned char>(magnitude | (parts.negative ? 0x80 : 0));
}

}  // namespace rafter_simt

inline __nv_fp8_storage_t __nv_cvt_double_to_fp8(double x, __nv_saturation_t saturate,
                                                 __nv_fp8_interpretation_t interpretation) {
  return interpretation == __NV_E4M3 ? rafter_simt::to_fp8<rafter_simt::E4m3>(x, saturate)
                                     : rafter_simt::to_fp8<rafter_simt::E5m2>(x, saturate);
}
inline __nv_fp8_storage_t __nv_cvt_float_to_fp8(float x, __nv_saturation_t saturate,
                                                __nv_fp8_interpretation_t interpretation) {
  return __nv_cvt_double_to_fp8(x, saturate, interpretation);
}
inline __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(__half_raw x, __nv_saturation_t saturate,
                                                  __nv_fp8_interpretation_t interpretation) {
  return __nv_cvt_double_to_fp8(rafter_simt::Half::decode(x.x), saturate, interpretation);
}
inline __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw x, __nv_saturation_t saturate,
                                                      __nv_fp8_interpretation_t interpretation) {
  return __nv_cvt_double_to_fp8(rafter_simt::Bfloat16::decode(x.x), saturate, interpretation);
}

// Pairs: the first is in the low byte.
#define RAFTER_SIMT_FP8_PAIR(NAME, PAIR, ONE, X, Y)                                                                \
  inline __nv_fp8x2_storage_t NAME(PAIR x, __nv_saturation_t saturate, __nv_fp8_interpretation_t interpretation) { \
    return static_cast<__nv_fp8x2_storage_t>(ONE(X, saturate, interpretation) | ONE(Y, saturate, interpretation)   \
                                                                                    << 8);                         \
  }
RAFTER_SIMT_FP8_PAIR(__nv_cvt_double2_to_fp8x2, double2, __nv_cvt_double_to_fp8, x.x, x.y)
RAFTER_SIMT_FP8_PAIR(__nv_cvt_float2_to_fp8x2, float2, __nv_cvt_float_to_fp8, x.x, x.y)
RAFTER_SIMT_FP8_PAIR(__nv_cvt_halfraw2_to_fp8x2, __half2_raw, __nv_cvt_halfraw_to_fp8, __half_raw{x.x}, __half_raw{x.y})
RAFTER_SIMT_FP8_PAIR(__nv_cvt_bfloat16raw2_to_fp8x2, __nv_bfloat162_raw, __nv_cvt_bfloat16raw_to_fp8,
                     __nv_bfloat16_raw{x.x}, __nv_bfloat16_raw{x.y})
#undef RAFTER_SIMT_FP8_PAIR

/// Converts exactly: every value of both formats is a half.
inline __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t x, __nv_fp8_interpretation_t interpretation) {
  const unsigned magnitude = x & 0x7f, sign = (x & 0x80u) << 8;
  if (interpretation == __NV_E5M2)
    return {static_cast<unsigned short>(magnitude > 0x7c ? 0x7fff : sign | magnitude << 8)};
  if (magnitude == 0x7f) return {0x7fff};
  const float value = rafter_simt::Half::decode(magnitude << 7) * 256;  // a half's bits with a bias that is 8 too large
  return {static_cast<unsigned short>(sign | rafter_simt::Half::encode_nearest(value))};
}
inline __half2_raw __nv_cvt_fp8x2_to_halfraw2(__nv_fp8x2_storage_t x, __nv_fp8_interpretation_t interpretation) {
  return {__nv_cvt_fp8_to_halfraw(static_cast<unsigned char>(x), interpretation).x,
          __nv_cvt_fp8_to_halfraw(static_cast<unsigned char>(x >> 8), interpretation).x};
}

#define RAFTER_SIMT_FP8_FROM(NAME, KIND, TYPE) \
  explicit NAME(TYPE value) : __x(__nv_cvt_double_to_fp8(static_cast<double>(value), __NV_SATFINITE, KIND)) {}
#define RAFTER_SIMT_FP8_TO(TYPE) \
  explicit operator TYPE() const { return static_cast<TYPE>(static_cast<__half>(*this)); }
// Defines the type NAME with its PAIR and QUAD.
#define RAFTER_SIMT_FP8(NAME, PAIR, QUAD, KIND)                                                                     \
  struct NAME {                                                                                                     \
    __nv_fp8_storage_t __x;                                                                                         \
    NAME() = default;                                                                                               \
    explicit NAME(__half value) : NAME(rafter_simt::value_of(value)) {}                                             \
    explicit NAME(__nv_bfloat16 value) : NAME(rafter_simt::value_of(value)) {}                                      \
    RAFTER_SIMT_FP8_FROM(NAME, KIND, float)                                                                         \
    RAFTER_SIMT_FP8_FROM(NAME, KIND, double)                                                                        \
    RAFTER_SIMT_FP8_FROM(NAME, KIND, short)                                                                         \
    RAFTER_SIMT_FP8_FROM(NAME, KIND, unsigned short)                                                                \
    RAFTER_SIMT_FP8_FROM(NAME, KIND, int)                                                                           \
    RAFTER_SIMT_FP8_FROM(NAME, KIND, unsigned int)                                                                  \
    RAFTER_SIMT_FP8_FROM(NAME, KIND, long)                                                                          \
    RAFTER_SIMT_FP8_FROM(NAME, KIND, unsigned long)                                                                 \
    RAFTER_SIMT_FP8_FROM(NAME, KIND, long long)                                                                     \
    RAFTER_SIMT_FP8_FROM(NAME, KIND, unsigned long long)                                                            \
    explicit operator __half() const { return __nv_cvt_fp8_to_halfraw(__x, KIND); }                                 \
    explicit operator float() const { return rafter_simt::value_of(static_cast<__half>(*this)); }                   \
    explicit operator double() const { return static_cast<float>(*this); }                                          \
    explicit operator __nv_bfloat16() const { return __float2bfloat16(static_cast<float>(*this)); }                 \
    explicit operator bool() const { return (__x & 0x7f) != 0; }                                                    \
    RAFTER_SIMT_FP8_TO(char)                                                                                        \
    RAFTER_SIMT_FP8_TO(signed char)                                                                                 \
    RAFTER_SIMT_FP8_TO(unsigned char)                                                                               \
    RAFTER_SIMT_FP8_TO(short)                                                                                       \
    RAFTER_SIMT_FP8_TO(unsigned short)                                                                              \
    RAFTER_SIMT_FP8_TO(int)                                                                                         \
    RAFTER_SIMT_FP8_TO(unsigned int)                                                                                \
    RAFTER_SIMT_FP8_TO(long)                                                                                        \
    RAFTER_SIMT_FP8_TO(unsigned long)                                                                               \
    RAFTER_SIMT_FP8_TO(long long)                                                                                   \
    RAFTER_SIMT_FP8_TO(unsigned long long)                                                                          \
  };                                                                                                                \
  struct alignas(2) PAIR {                                                                                          \
    __nv_fp8x2_storage_t __x;                                                                                       \
    PAIR() = default;                                                                                               \
    explicit PAIR(__half2 v) : __x(__nv_cvt_halfraw2_to_fp8x2(v, __NV_SATFINITE, KIND)) {}                          \
    explicit PAIR(__nv_bfloat162 v) : __x(__nv_cvt_bfloat16raw2_to_fp8x2(v, __NV_SATFINITE, KIND)) {}               \
    explicit PAIR(float2 v) : __x(__nv_cvt_float2_to_fp8x2(v, __NV_SATFINITE, KIND)) {}                             \
    explicit PAIR(double2 v) : __x(__nv_cvt_double2_to_fp8x2(v, __NV_SATFINITE, KIND)) {}                           \
    explicit operator __half2() const { return __nv_cvt_fp8x2_to_halfraw2(__x, KIND); }                             \
    explicit operator float2() const { return __half22float2(static_cast<__half2>(*this)); }                        \
  };                                                                                                                \
  struct alignas(4) QUAD {                                                                                          \
    __nv_fp8x4_storage_t __x;                                                                                       \
    QUAD() = default;                                                                                               \
    explicit QUAD(__half2 low, __half2 high) : __x(PAIR(low).__x | static_cast<unsigned>(PAIR(high).__x) << 16) {}  \
    explicit QUAD(__nv_bfloat162 low, __nv_bfloat162 high)                                                          \
        : __x(PAIR(low).__x | static_cast<unsigned>(PAIR(high).__x) << 16) {}                                       \
    explicit QUAD(float4 v)                                                                                         \
        : __x(PAIR(float2{v.x, v.y}).__x | static_cast<unsigned>(PAIR(float2{v.z, v.w}).__x) << 16) {}              \
    explicit QUAD(double4 v)                                                                                        \
        : __x(PAIR(double2{v.x, v.y}).__x | static_cast<unsigned>(PAIR(double2{v.z, v.w}).__x) << 16) {}            \
    explicit operator float4() const {                                                                              \
      const float2 low = __half22float2(__nv_cvt_fp8x2_to_halfraw2(static_cast<unsigned short>(__x), KIND));        \
      const float2 high = __half22float2(__nv_cvt_fp8x2_to_halfraw2(static_cast<unsigned short>(__x >> 16), KIND)); \
      return {low.x, low.y, high.x, high.y};                                                                        \
    }                                                                                                               \
  };
RAFTER_SIMT_FP8(__nv_fp8_e4m3, __nv_fp8x2_e4m3, __nv_fp8x4_e4m3, __NV_E4M3)
RAFTER_SIMT_FP8(__nv_fp8_e5m2, __nv_fp8x2_e5m2, __nv_fp8x4_e5m2, __NV_E5M2)
#undef RAFTER_SIMT_FP8
#undef RAFTER_SIMT_FP8_TO
#undef RAFTER_SIMT_FP8_FROM
