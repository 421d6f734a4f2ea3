// cuBLAS's functions on doubles.
#include "executor/libraries/blas/export_types.hpp"

using namespace rafter::simt::blas;

#define LETTER D
#define T double
#define R double
#define INDEX_LETTERS Id
#define NORM_LETTERS D

#define I int
#define SUFFIX
#include "executor/libraries/blas/factorisation_exports.inc"
#include "executor/libraries/blas/real_exports.inc"
#include "executor/libraries/blas/typed_exports.inc"
#undef SUFFIX
#undef I
#define I std::int64_t
#define SUFFIX _64
#include "executor/libraries/blas/real_exports.inc"
#include "executor/libraries/blas/typed_exports.inc"

RAFTER_BLAS_EXPORT(cublasDrotmg,
                   (cublasHandle_t handle, double* d1, double* d2, double* x1, const double* y1, double* param),
                   rotmg(call, d1, d2, x1, y1, param))
