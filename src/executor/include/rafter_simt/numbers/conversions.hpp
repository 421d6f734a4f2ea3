// Conversions between numbers with a rounding mode, and between numbers and their bits.
#pragma once

#include "rafter_simt/numbers/rounding.hpp"

constexpr int __float_as_int(float x) { return rafter_simt::bits_as<int>(x); }
constexpr unsigned int __float_as_uint(float x) { return rafter_simt::bits_as<unsigned int>(x); }
constexpr float __int_as_float(int x) { return rafter_simt::bits_as<float>(x); }
constexpr float __uint_as_float(unsigned int x) { return rafter_simt::bits_as<float>(x); }
constexpr long long __double_as_longlong(double x) { return rafter_simt::bits_as<long long>(x); }
constexpr double __longlong_as_double(long long x) { return rafter_simt::bits_as<double>(x); }
constexpr int __double2hiint(double x) { return static_cast<int>(__double_as_longlong(x) >> 32); }
constexpr int __double2loint(double x) { return static_cast<int>(__double_as_longlong(x)); }
constexpr double __hiloint2double(int hi, int lo) {
  const unsigned long long high = static_cast<unsigned int>(hi), low = static_cast<unsigned int>(lo);
  return rafter_simt::bits_as<double>(high << 32 | low);
}

#define RAFTER_SIMT_ROUNDED(FROM, FROM_NAME, TO, TO_NAME, SUFFIX, MODE)                                     \
  inline TO __##FROM_NAME##2##TO_NAME##_##SUFFIX(FROM x) {                                                  \
    return rafter_simt::rounded<rafter_simt::Rounding::MODE>([](FROM v) { return static_cast<TO>(v); }, x); \
  }
#define RAFTER_SIMT_SATURATED(FROM, FROM_NAME, TO, TO_NAME, SUFFIX, MODE) \
  inline TO __##FROM_NAME##2##TO_NAME##_##SUFFIX(FROM x) {                \
    return rafter_simt::to_integer<TO, rafter_simt::Rounding::MODE>(x);   \
  }
#define RAFTER_SIMT_FOUR_MODES(MACRO, FROM, FROM_NAME, TO, TO_NAME) \
  MACRO(FROM, FROM_NAME, TO, TO_NAME, rn, nearest)                  \
  MACRO(FROM, FROM_NAME, TO, TO_NAME, rz, zero)                     \
  MACRO(FROM, FROM_NAME, TO, TO_NAME, ru, up)                       \
  MACRO(FROM, FROM_NAME, TO, TO_NAME, rd, down)
#define RAFTER_SIMT_WITH_INTEGER(INTEGER, NAME)                                \
  RAFTER_SIMT_FOUR_MODES(RAFTER_SIMT_SATURATED, float, float, INTEGER, NAME)   \
  RAFTER_SIMT_FOUR_MODES(RAFTER_SIMT_SATURATED, double, double, INTEGER, NAME) \
  RAFTER_SIMT_FOUR_MODES(RAFTER_SIMT_ROUNDED, INTEGER, NAME, float, float)

RAFTER_SIMT_WITH_INTEGER(int, int)
RAFTER_SIMT_WITH_INTEGER(unsigned int, uint)
RAFTER_SIMT_WITH_INTEGER(long long, ll)
RAFTER_SIMT_WITH_INTEGER(unsigned long long, ull)
RAFTER_SIMT_FOUR_MODES(RAFTER_SIMT_ROUNDED, long long, ll, double, double)
RAFTER_SIMT_FOUR_MODES(RAFTER_SIMT_ROUNDED, unsigned long long, ull, double, double)
RAFTER_SIMT_FOUR_MODES(RAFTER_SIMT_ROUNDED, double, double, float, float)
// 32 bits fit a double, so there is only one rounding.
constexpr double __int2double_rn(int x) { return x; }
constexpr double __uint2double_rn(unsigned int x) { return x; }

#undef RAFTER_SIMT_WITH_INTEGER
#undef RAFTER_SIMT_FOUR_MODES
#undef RAFTER_SIMT_SATURATED
#undef RAFTER_SIMT_ROUNDED
