// CUDA's complex numbers for C: aliases of float2 and double2, with their arithmetic.
#pragma once

#include <math.h>

#include "rafter_simt/numbers/vector_types.hpp"

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

#ifdef __cplusplus
#define RAFTER_SIMT_INLINE inline
#else
#define RAFTER_SIMT_INLINE static inline
#endif

// Defines the functions on float (SUFFIX f) and double. The quotient is scaled by the magnitude of the divisor, so that
// its square cannot overflow.
#define RAFTER_SIMT_COMPLEX(COMPLEX, REAL, SUFFIX, MAKE, VECTOR, FABS, HYPOT)                              \
  RAFTER_SIMT_INLINE COMPLEX MAKE(REAL real, REAL imaginary) { return VECTOR(real, imaginary); }           \
  RAFTER_SIMT_INLINE REAL cuCreal##SUFFIX(COMPLEX x) { return x.x; }                                       \
  RAFTER_SIMT_INLINE REAL cuCimag##SUFFIX(COMPLEX x) { return x.y; }                                       \
  RAFTER_SIMT_INLINE COMPLEX cuConj##SUFFIX(COMPLEX x) { return VECTOR(x.x, -x.y); }                       \
  RAFTER_SIMT_INLINE COMPLEX cuCadd##SUFFIX(COMPLEX x, COMPLEX y) { return VECTOR(x.x + y.x, x.y + y.y); } \
  RAFTER_SIMT_INLINE COMPLEX cuCsub##SUFFIX(COMPLEX x, COMPLEX y) { return VECTOR(x.x - y.x, x.y - y.y); } \
  RAFTER_SIMT_INLINE COMPLEX cuCmul##SUFFIX(COMPLEX x, COMPLEX y) {                                        \
    return VECTOR(x.x * y.x - x.y * y.y, x.x * y.y + x.y * y.x);                                           \
  }                                                                                                        \
  RAFTER_SIMT_INLINE COMPLEX cuCfma##SUFFIX(COMPLEX x, COMPLEX y, COMPLEX d) {                             \
    return VECTOR(x.x * y.x + d.x - x.y * y.y, x.x * y.y + d.y + x.y * y.x);                               \
  }                                                                                                        \
  RAFTER_SIMT_INLINE COMPLEX cuCdiv##SUFFIX(COMPLEX x, COMPLEX y) {                                        \
    const REAL scale = 1 / (FABS(y.x) + FABS(y.y));                                                        \
    const REAL a = x.x * scale, b = x.y * scale, c = y.x * scale, d = y.y * scale;                         \
    const REAL size = 1 / (c * c + d * d);                                                                 \
    return VECTOR((a * c + b * d) * size, (b * c - a * d) * size);                                         \
  }                                                                                                        \
  RAFTER_SIMT_INLINE REAL cuCabs##SUFFIX(COMPLEX x) { return HYPOT(x.x, x.y); }
RAFTER_SIMT_COMPLEX(cuFloatComplex, float, f, make_cuFloatComplex, make_float2, fabsf, hypotf)
RAFTER_SIMT_COMPLEX(cuDoubleComplex, double, , make_cuDoubleComplex, make_double2, fabs, hypot)
#undef RAFTER_SIMT_COMPLEX

RAFTER_SIMT_INLINE cuComplex make_cuComplex(float real, float imaginary) { return make_float2(real, imaginary); }
RAFTER_SIMT_INLINE cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex x) { return make_double2(x.x, x.y); }
RAFTER_SIMT_INLINE cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex x) {
  return make_float2((float)x.x, (float)x.y);
}
#undef RAFTER_SIMT_INLINE
