// CUDA's complex numbers for C: aliases of float2 and double2, with their arithmetic.
#pragma once

#include <math.h>

#include "rafter_simt/numbers/vector_types.hpp"

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

namespace rafter_simt {

/// Returns x / y, scaled by the magnitude of y so that its square cannot overflow.
template <class Complex, class Real>
Complex complex_quotient(Complex x, Complex y, Real scale) {
  const Real a = x.x * scale, b = x.y * scale, c = y.x * scale, d = y.y * scale;
  const Real size = 1 / (c * c + d * d);
  return {(a * c + b * d) * size, (b * c - a * d) * size};
}

}  // namespace rafter_simt

// Defines the functions on float (SUFFIX f) and double.
#define RAFTER_SIMT_COMPLEX(COMPLEX, REAL, SUFFIX, MAKE, FABS, HYPOT)                                            \
  inline COMPLEX MAKE(REAL real, REAL imaginary) { return {real, imaginary}; }                                   \
  inline REAL cuCreal##SUFFIX(COMPLEX x) { return x.x; }                                                         \
  inline REAL cuCimag##SUFFIX(COMPLEX x) { return x.y; }                                                         \
  inline COMPLEX cuConj##SUFFIX(COMPLEX x) { return {x.x, -x.y}; }                                               \
  inline COMPLEX cuCadd##SUFFIX(COMPLEX x, COMPLEX y) { return {x.x + y.x, x.y + y.y}; }                         \
  inline COMPLEX cuCsub##SUFFIX(COMPLEX x, COMPLEX y) { return {x.x - y.x, x.y - y.y}; }                         \
  inline COMPLEX cuCmul##SUFFIX(COMPLEX x, COMPLEX y) { return {x.x * y.x - x.y * y.y, x.x * y.y + x.y * y.x}; } \
  inline COMPLEX cuCfma##SUFFIX(COMPLEX x, COMPLEX y, COMPLEX d) {                                               \
    return {x.x * y.x + d.x - x.y * y.y, x.x * y.y + d.y + x.y * y.x};                                           \
  }                                                                                                              \
  inline COMPLEX cuCdiv##SUFFIX(COMPLEX x, COMPLEX y) {                                                          \
    return rafter_simt::complex_quotient(x, y, REAL(1) / (FABS(y.x) + FABS(y.y)));                               \
  }                                                                                                              \
  inline REAL cuCabs##SUFFIX(COMPLEX x) { return HYPOT(x.x, x.y); }
RAFTER_SIMT_COMPLEX(cuFloatComplex, float, f, make_cuFloatComplex, fabsf, hypotf)
RAFTER_SIMT_COMPLEX(cuDoubleComplex, double, , make_cuDoubleComplex, fabs, hypot)
#undef RAFTER_SIMT_COMPLEX

inline cuComplex make_cuComplex(float real, float imaginary) { return {real, imaginary}; }
inline cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex x) { return {x.x, x.y}; }
inline cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex x) {
  return {static_cast<float>(x.x), static_cast<float>(x.y)};
}
