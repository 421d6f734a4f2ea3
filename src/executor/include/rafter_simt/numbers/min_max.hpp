// min and max with exactly nvcc's overloads, so that mixed arguments resolve, or fail to, as with nvcc.
#pragma once

#include <type_traits>

namespace rafter_simt {

template <class T>
constexpr T least_of(T x, T y) {
  if constexpr (std::is_integral_v<T>) {
    return y < x ? y : x;
  } else {  // a NaN operand is ignored, and -0 is less than +0
    return (x < y) | (y != y) | ((x == y) & (__builtin_signbit(x) != 0)) ? x : y;
  }
}
template <class T>
constexpr T greatest_of(T x, T y) {
  if constexpr (std::is_integral_v<T>) {
    return x < y ? y : x;
  } else {
    return (x > y) | (y != y) | ((x == y) & (__builtin_signbit(y) != 0)) ? x : y;
  }
}

}  // namespace rafter_simt

// Templates, so that a header that defines these two for compilers other than nvcc (helper_math.h) does not conflict.
template <class = void>
constexpr int min(int a, int b) {
  return b < a ? b : a;
}
template <class = void>
constexpr int max(int a, int b) {
  return a < b ? b : a;
}

#define RAFTER_SIMT_MIN_MAX(RESULT, A, B)                                                                          \
  constexpr RESULT min(A a, B b) { return rafter_simt::least_of(static_cast<RESULT>(a), static_cast<RESULT>(b)); } \
  constexpr RESULT max(A a, B b) { return rafter_simt::greatest_of(static_cast<RESULT>(a), static_cast<RESULT>(b)); }
#define RAFTER_SIMT_MIN_MAX_UNSIGNED(TYPE)                         \
  RAFTER_SIMT_MIN_MAX(unsigned TYPE, unsigned TYPE, unsigned TYPE) \
  RAFTER_SIMT_MIN_MAX(unsigned TYPE, TYPE, unsigned TYPE)          \
  RAFTER_SIMT_MIN_MAX(unsigned TYPE, unsigned TYPE, TYPE)

RAFTER_SIMT_MIN_MAX_UNSIGNED(int)
RAFTER_SIMT_MIN_MAX(long, long, long)
RAFTER_SIMT_MIN_MAX_UNSIGNED(long)
RAFTER_SIMT_MIN_MAX(long long, long long, long long)
RAFTER_SIMT_MIN_MAX_UNSIGNED(long long)
RAFTER_SIMT_MIN_MAX(float, float, float)
RAFTER_SIMT_MIN_MAX(double, double, double)
RAFTER_SIMT_MIN_MAX(double, float, double)
RAFTER_SIMT_MIN_MAX(double, double, float)
#undef RAFTER_SIMT_MIN_MAX_UNSIGNED
#undef RAFTER_SIMT_MIN_MAX

constexpr unsigned int umin(unsigned int a, unsigned int b) { return min(a, b); }
constexpr unsigned int umax(unsigned int a, unsigned int b) { return max(a, b); }
constexpr long long llmin(long long a, long long b) { return min(a, b); }
constexpr long long llmax(long long a, long long b) { return max(a, b); }
constexpr unsigned long long ullmin(unsigned long long a, unsigned long long b) { return min(a, b); }
constexpr unsigned long long ullmax(unsigned long long a, unsigned long long b) { return max(a, b); }
