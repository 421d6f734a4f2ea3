// Arithmetic that is written the same for real and complex elements.
#pragma once

#include <cmath>
#include <complex>
#include <cstdint>
#include <type_traits>

namespace rafter::simt::blas {

using Int = std::int64_t;

template <class T>
struct RealOf {
  using Type = T;
};
template <class T>
struct RealOf<std::complex<T>> {
  using Type = T;
};
template <class T>
using Real = typename RealOf<T>::Type;
template <class T>
constexpr bool is_complex = !std::is_same_v<T, Real<T>>;

/// The operators of std::complex call a library function that repairs infinities, as no BLAS does.
template <class T>
T mul(T a, T b) {
  if constexpr (is_complex<T>) {
    return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
  } else {
    return static_cast<T>(a * b);
  }
}

template <class T>
T conj_if(bool conjugate, T a) {
  if constexpr (is_complex<T>) return conjugate ? std::conj(a) : a;
  return a;
}

template <class T>
Real<T> real_of(T a) {
  if constexpr (is_complex<T>) {
    return a.real();
  } else {
    return a;
  }
}

/// The magnitude by which BLAS compares elements: |a|, or |real| + |imaginary|.
template <class T>
Real<T> magnitude(T a) {
  if constexpr (is_complex<T>) {
    return std::abs(a.real()) + std::abs(a.imag());
  } else {
    return std::abs(a);
  }
}

}  // namespace rafter::simt::blas
