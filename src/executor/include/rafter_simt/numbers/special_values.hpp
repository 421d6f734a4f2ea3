// Implementations of CUDA's extra math functions in double, accurate to a few ulp.
#pragma once

#include <math.h>

#include <initializer_list>

namespace rafter_simt {

/// x = half / 2 + rest with |rest| <= 1/4, exactly; half is reduced modulo 4.
struct HalfTurns {
  int half;
  double rest;
};
inline HalfTurns half_turns(double x) {
  const double turn = ::fmod(x, 2.0);
  const double half = ::rint(2 * turn);
  return {static_cast<int>(half) & 3, turn - half / 2};
}
inline double sine_of_pi_times(double x) {
  if (!__builtin_isfinite(x)) return x - x;
  const HalfTurns turns = half_turns(x);
  if (turns.rest == 0 && turns.half % 2 == 0) return ::copysign(0.0, x);
  const double value = turns.half % 2 == 0 ? ::sin(M_PI * turns.rest) : ::cos(M_PI * turns.rest);
  return turns.half < 2 ? value : -value;
}
inline double cosine_of_pi_times(double x) {
  if (!__builtin_isfinite(x)) return x - x;
  const HalfTurns turns = half_turns(x);
  if (turns.rest == 0 && turns.half % 2 == 1) return 0.0;
  const double value = turns.half % 2 == 0 ? ::cos(M_PI * turns.rest) : ::sin(M_PI * turns.rest);
  return turns.half == 0 || turns.half == 3 ? value : -value;
}

/// Returns exp(x * x), corrected for the rounding error of the square.
inline double exp_of_square(double x) {
  const double square = x * x;
  const double value = ::exp(square);
  return __builtin_isinf(value) ? value : value + value * ::fma(x, x, -square);
}

/// Returns exp(x * x) * erfc(x), from the asymptotic series where erfc alone would lose its digits.
inline double scaled_erfc(double x) {
  if (x < 10) return exp_of_square(x) * ::erfc(x);
  if (__builtin_isinf(x)) return 0;
  const double step = 0.5 / x / x;
  double term = 1, sum = 1;
  for (int k = 1; k < 40 && ::fabs(term) > 1e-18; ++k) sum += term *= -(2 * k - 1) * step;
  return sum / x * 0.56418958354775628695;  // 1 / sqrt(pi)
}

/// Returns erfc(-x / sqrt(2)) / 2, corrected for the rounding error of the argument.
inline double normal_cdf(double x) {
  constexpr double root_half = 7.0710678118654757e-1, root_half_rest = -4.8336466567264567e-17;
  if (!__builtin_isfinite(x) || ::fabs(x) > 40) return x != x ? x : (x > 0 ? 1.0 : 0.0);
  const double argument = -x * root_half;
  const double rest = ::fma(-x, root_half, -argument) - x * root_half_rest;
  return 0.5 * ::erfc(argument) - rest * 0.56418958354775628695 * ::exp(-argument * argument);
}

/// Returns the y > 0 with erfc(y) = x for 0 < x < 1, by Newton steps on log(erfc(y)), which is nearly a parabola.
inline double inverse_erfc_tail(double x) {
  const double goal = ::log(x);
  double y = ::sqrt(-goal);
  for (int i = 0; i < 60; ++i) {
    const double scaled = scaled_erfc(y);
    const double error = ::log(scaled) - y * y - goal;
    const double step = error * scaled * 0.88622692545275801365;  // sqrt(pi) / 2
    y += step;
    if (::fabs(step) <= 1e-16 * y) break;
  }
  return y;
}
inline double inverse_erf(double x) {
  if (!(::fabs(x) < 1)) return ::fabs(x) == 1 ? ::copysign(HUGE_VAL, x) : __builtin_nan("");
  if (::fabs(x) > 0.5) return ::copysign(inverse_erfc_tail(1 - ::fabs(x)), x);
  double y = x * 0.88622692545275801365;
  for (int i = 0; i < 20 && y != 0; ++i) {
    const double error = ::erf(y) - x;
    const double step = error * 0.88622692545275801365 * ::exp(y * y);
    y -= step;
    if (::fabs(step) <= 1e-17 * ::fabs(y)) break;
  }
  return y;
}
inline double inverse_erfc(double x) {
  if (!(x > 0 && x < 2)) return x == 0 ? HUGE_VAL : (x == 2 ? -HUGE_VAL : __builtin_nan(""));
  if (x >= 0.5 && x <= 1.5) return inverse_erf(1 - x);
  return x < 1 ? inverse_erfc_tail(x) : -inverse_erfc_tail(2 - x);
}

/// Returns the modified Bessel function of order 0 or 1: the power series, whose terms are all positive, then the
/// asymptotic series.
inline double bessel_i(int order, double x) {
  const double size = ::fabs(x);
  if (size < 30) {
    const double quarter = size * size / 4;
    double term = order == 0 ? 1 : size / 2, sum = term;
    for (int k = 1; term > sum * 1e-18; ++k) sum += term *= quarter / (static_cast<double>(k) * (k + order));
    return sum;
  }
  double term = 1, sum = 1;
  for (int k = 1; k < 60 && ::fabs(term) > 1e-18; ++k) {
    const double odd = 2 * k - 1;
    sum += term *= (odd * odd - 4 * order * order) / (8 * k * size);
  }
  const double root = ::exp(size / 2);
  return root * (sum / ::sqrt(2 * M_PI * size)) * root;
}
inline double bessel_i0(double x) { return __builtin_isinf(x) ? HUGE_VAL : bessel_i(0, x); }
inline double bessel_i1(double x) { return __builtin_isinf(x) ? x : ::copysign(bessel_i(1, x), x); }

/// Returns the square root of the sum of squares, without intermediate overflow.
template <class T>
double norm_of(const T* values, int n) {
  double largest = 0, sum = 0;
  bool unknown = false;
  for (int i = 0; i < n; ++i) {
    const double size = ::fabs(static_cast<double>(values[i]));
    if (__builtin_isinf(size)) return size;
    unknown |= size != size;
    if (size > largest) largest = size;
  }
  if (unknown) return __builtin_nan("");
  if (largest == 0) return 0;
  for (int i = 0; i < n; ++i) sum += (values[i] / largest) * (values[i] / largest);
  return largest * ::sqrt(sum);
}
inline double norm_of(std::initializer_list<double> values) {
  return norm_of(values.begin(), static_cast<int>(values.size()));
}

}  // namespace rafter_simt
