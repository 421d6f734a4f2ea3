// What the exported functions of one element type need.
#pragma once

#include "executor/libraries/blas/batched.hpp"
#include "executor/libraries/blas/exports.hpp"
#include "executor/libraries/blas/level1.hpp"

namespace rafter::simt::blas {

using OP = cublasOperation_t;
using UPLO = cublasFillMode_t;
using DIAG = cublasDiagType_t;
using SIDE = cublasSideMode_t;

inline bool is_half(UPLO uplo, Int n) { return is_valid(uplo) && n >= 0; }
inline bool is_triangular(UPLO uplo, OP op, DIAG diag, Int n) {
  return is_half(uplo, n) && is_valid(op) && is_valid(diag);
}

}  // namespace rafter::simt::blas

// After the headers, because the names are short.
#define OF_TYPE(NAME, PARAMETERS, ...) RAFTER_BLAS_EXPORT(RAFTER_BLAS(NAME), PARAMETERS, __VA_ARGS__)
