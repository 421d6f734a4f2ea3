// What the files that export functions share: a function's frame, and pointers to elements of C++'s types.
#pragma once

#include "executor/libraries/blas/call.hpp"
#include "rafter_simt/blas/functions.hpp"

namespace rafter::simt::blas {

// cuBLAS's complex numbers have the layout of std::complex.
template <class T>
struct ElementOf {
  using Type = T;
};
template <>
struct ElementOf<cuComplex> {
  using Type = std::complex<float>;
};
template <>
struct ElementOf<cuDoubleComplex> {
  using Type = std::complex<double>;
};
template <class T>
using Element = typename ElementOf<T>::Type;

template <class T>
Element<T>* el(T* at) {
  return reinterpret_cast<Element<T>*>(at);
}
template <class T>
const Element<T>* el(const T* at) {
  return reinterpret_cast<const Element<T>*>(at);
}
template <class T>
Element<T>* const* el(T* const* at) {
  return reinterpret_cast<Element<T>* const*>(at);
}
template <class T>
const Element<T>* const* el(const T* const* at) {
  return reinterpret_cast<const Element<T>* const*>(at);
}

}  // namespace rafter::simt::blas

#define RAFTER_BLAS_TEXT_OF(NAME) #NAME
#define RAFTER_BLAS_TEXT(NAME) RAFTER_BLAS_TEXT_OF(NAME)
/// Defines an exported function. Its first parameter is `handle`; `call` is the call of its body.
#define RAFTER_BLAS_EXPORT(NAME, PARAMETERS, ...)                                                       \
  cublasStatus_t NAME PARAMETERS {                                                                      \
    return on_handle(handle, RAFTER_BLAS_TEXT(NAME), __builtin_return_address(0),                       \
                     [&]([[maybe_unused]] const Call& call) -> cublasStatus_t { return __VA_ARGS__; }); \
  }
#define RAFTER_BLAS(NAME) RAFTER_BLAS_NAME(LETTER, NAME, SUFFIX)
#define RAFTER_BLAS_INDEX(NAME) RAFTER_BLAS_NAME(INDEX_LETTERS, NAME, SUFFIX)
#define RAFTER_BLAS_NORM(NAME) RAFTER_BLAS_NAME(NORM_LETTERS, NAME, SUFFIX)
