// cuBLAS's functions on floats.
#include "executor/libraries/blas/export_types.hpp"

using namespace rafter::simt::blas;

#define LETTER S
#define T float
#define R float
#define INDEX_LETTERS Is
#define NORM_LETTERS S

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

RAFTER_BLAS_EXPORT(cublasSrotmg,
                   (cublasHandle_t handle, float* d1, float* d2, float* x1, const float* y1, float* param),
                   rotmg(call, d1, d2, x1, y1, param))
