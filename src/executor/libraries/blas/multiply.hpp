// The matrix product that level 3 is made of: OpenBLAS's if it is installed, otherwise loops of our own.
#pragma once

#include "executor/libraries/blas/call.hpp"

namespace rafter::simt::blas {

/// C = alpha * op(A) * op(B) + beta * C, with m x n elements of C. C is not read if beta is 0, A and B are not read if
/// alpha is 0. The sums of 32-bit integers wrap around.
template <class T>
struct Product {
  cublasOperation_t op_a, op_b;
  Int m, n, k;
  T alpha;
  const T* a;
  Int lda;
  const T* b;
  Int ldb;
  T beta;
  T* c;
  Int ldc;
};

template <class T>
void multiply(const Product<T>& product);

/// The functions of OpenBLAS or BLIS, which are loaded when they are first needed. Each returns false if there is no
/// such library or if it cannot take these sizes.
bool multiply_with_blas(const Product<float>& product);
bool multiply_with_blas(const Product<double>& product);
bool multiply_with_blas(const Product<std::complex<float>>& product);
bool multiply_with_blas(const Product<std::complex<double>>& product);
inline bool multiply_with_blas(const Product<std::int32_t>&) { return false; }

}  // namespace rafter::simt::blas
