// CUDA's math functions beyond <cmath>, on double (name) and float (name and namef).
#pragma once

#include <math.h>

#include "rafter_simt/numbers/special_values.hpp"

// float versions: computed in double and rounded once.
#define RAFTER_SIMT_FLOAT_FORMS(NAME)                                                       \
  inline float NAME(float x) { return static_cast<float>(::NAME(static_cast<double>(x))); } \
  inline float NAME##f(float x) { return static_cast<float>(::NAME(static_cast<double>(x))); }

inline double rsqrt(double x) { return 1.0 / ::sqrt(x); }
inline double rcbrt(double x) { return 1.0 / ::cbrt(x); }
inline double sinpi(double x) { return rafter_simt::sine_of_pi_times(x); }
inline double cospi(double x) { return rafter_simt::cosine_of_pi_times(x); }
inline double erfinv(double x) { return rafter_simt::inverse_erf(x); }
inline double erfcinv(double x) { return rafter_simt::inverse_erfc(x); }
inline double erfcx(double x) { return rafter_simt::scaled_erfc(x); }
inline double normcdf(double x) { return rafter_simt::normal_cdf(x); }
inline double normcdfinv(double x) { return -M_SQRT2 * rafter_simt::inverse_erfc(2 * x); }
inline double cyl_bessel_i0(double x) { return rafter_simt::bessel_i0(x); }
inline double cyl_bessel_i1(double x) { return rafter_simt::bessel_i1(x); }
RAFTER_SIMT_FLOAT_FORMS(rcbrt)
RAFTER_SIMT_FLOAT_FORMS(sinpi)
RAFTER_SIMT_FLOAT_FORMS(cospi)
RAFTER_SIMT_FLOAT_FORMS(erfinv)
RAFTER_SIMT_FLOAT_FORMS(erfcinv)
RAFTER_SIMT_FLOAT_FORMS(erfcx)
RAFTER_SIMT_FLOAT_FORMS(normcdf)
RAFTER_SIMT_FLOAT_FORMS(normcdfinv)
RAFTER_SIMT_FLOAT_FORMS(cyl_bessel_i0)
RAFTER_SIMT_FLOAT_FORMS(cyl_bessel_i1)
#undef RAFTER_SIMT_FLOAT_FORMS

inline float rsqrt(float x) { return static_cast<float>(1.0 / ::sqrt(static_cast<double>(x))); }
// A template, so that a header that defines it for compilers other than nvcc (helper_math.h) does not conflict.
template <class = void>
inline float rsqrtf(float x) {
  return rsqrt(x);
}

// glibc has these on double and as namef; CUDA overloads the plain name.
inline float exp10(float x) { return ::exp10f(x); }
inline float j0(float x) { return ::j0f(x); }
inline float j1(float x) { return ::j1f(x); }
inline float jn(int n, float x) { return ::jnf(n, x); }
inline float y0(float x) { return ::y0f(x); }
inline float y1(float x) { return ::y1f(x); }
inline float yn(int n, float x) { return ::ynf(n, x); }
inline void sincos(float x, float* sine, float* cosine) { ::sincosf(x, sine, cosine); }

inline void sincospi(double x, double* sine, double* cosine) {
  *sine = sinpi(x);
  *cosine = cospi(x);
}
inline void sincospi(float x, float* sine, float* cosine) {
  *sine = sinpi(x);
  *cosine = cospi(x);
}
inline void sincospif(float x, float* sine, float* cosine) { sincospi(x, sine, cosine); }

inline double norm3d(double a, double b, double c) { return rafter_simt::norm_of({a, b, c}); }
inline double norm4d(double a, double b, double c, double d) { return rafter_simt::norm_of({a, b, c, d}); }
inline double rhypot(double a, double b) { return 1.0 / ::hypot(a, b); }
inline double rnorm3d(double a, double b, double c) { return 1.0 / norm3d(a, b, c); }
inline double rnorm4d(double a, double b, double c, double d) { return 1.0 / norm4d(a, b, c, d); }
inline double norm(int n, const double* values) { return rafter_simt::norm_of(values, n); }
inline double rnorm(int n, const double* values) { return 1.0 / norm(n, values); }
inline float norm3df(float a, float b, float c) { return static_cast<float>(norm3d(a, b, c)); }
inline float norm4df(float a, float b, float c, float d) { return static_cast<float>(norm4d(a, b, c, d)); }
inline float rhypotf(float a, float b) { return static_cast<float>(rhypot(static_cast<double>(a), b)); }
inline float rhypot(float a, float b) { return rhypotf(a, b); }
inline float rnorm3df(float a, float b, float c) { return static_cast<float>(rnorm3d(a, b, c)); }
inline float rnorm4df(float a, float b, float c, float d) { return static_cast<float>(rnorm4d(a, b, c, d)); }
inline float normf(int n, const float* values) { return static_cast<float>(rafter_simt::norm_of(values, n)); }
inline float rnormf(int n, const float* values) { return static_cast<float>(1.0 / rafter_simt::norm_of(values, n)); }
