// cuBLAS's functions on complex floats.
#include "executor/libraries/blas/export_types.hpp"

using namespace rafter::simt::blas;

#define LETTER C
#define T cuComplex
#define R float
#define INDEX_LETTERS Ic
#define NORM_LETTERS Sc

#define I int
#define SUFFIX
#include "executor/libraries/blas/complex_exports.inc"
#include "executor/libraries/blas/factorisation_exports.inc"
#include "executor/libraries/blas/typed_exports.inc"
#undef SUFFIX
#undef I
#define I std::int64_t
#define SUFFIX _64
#include "executor/libraries/blas/complex_exports.inc"
#include "executor/libraries/blas/typed_exports.inc"
RAFTER_BLAS_EXPORT(cublasCsscal, (cublasHandle_t handle, int n, const float* alpha, cuComplex* x, int incx),
                   scal(call, n, alpha, el(x), incx))
RAFTER_BLAS_EXPORT(cublasCsrot,
                   (cublasHandle_t handle, int n, cuComplex* x, int incx, cuComplex* y, int incy, const float* c,
                    const float* s),
                   rot(call, n, el(x), incx, el(y), incy, c, s))
RAFTER_BLAS_EXPORT(cublasCsscal_64,
                   (cublasHandle_t handle, std::int64_t n, const float* alpha, cuComplex* x, std::int64_t incx),
                   scal(call, n, alpha, el(x), incx))
RAFTER_BLAS_EXPORT(cublasCsrot_64,
                   (cublasHandle_t handle, std::int64_t n, cuComplex* x, std::int64_t incx, cuComplex* y,
                    std::int64_t incy, const float* c, const float* s),
                   rot(call, n, el(x), incx, el(y), incy, c, s))
