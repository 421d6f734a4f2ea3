// cuBLAS's functions on complex doubles.
#include "executor/libraries/blas/export_types.hpp"

using namespace rafter::simt::blas;

#define LETTER Z
#define T cuDoubleComplex
#define R double
#define INDEX_LETTERS Iz
#define NORM_LETTERS Dz

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
RAFTER_BLAS_EXPORT(cublasZdscal, (cublasHandle_t handle, int n, const double* alpha, cuDoubleComplex* x, int incx),
                   scal(call, n, alpha, el(x), incx))
RAFTER_BLAS_EXPORT(cublasZdrot,
                   (cublasHandle_t handle, int n, cuDoubleComplex* x, int incx, cuDoubleComplex* y, int incy,
                    const double* c, const double* s),
                   rot(call, n, el(x), incx, el(y), incy, c, s))
RAFTER_BLAS_EXPORT(cublasZdscal_64,
                   (cublasHandle_t handle, std::int64_t n, const double* alpha, cuDoubleComplex* x, std::int64_t incx),
                   scal(call, n, alpha, el(x), incx))
RAFTER_BLAS_EXPORT(cublasZdrot_64,
                   (cublasHandle_t handle, std::int64_t n, cuDoubleComplex* x, std::int64_t incx, cuDoubleComplex* y,
                    std::int64_t incy, const double* c, const double* s),
                   rot(call, n, el(x), incx, el(y), incy, c, s))
