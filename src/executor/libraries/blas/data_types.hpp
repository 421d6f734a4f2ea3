// Elements of any of CUDA's data types, converted to the types that products are computed in.
#pragma once

#include <vector>

#include "executor/libraries/blas/call.hpp"

namespace rafter::simt::blas {

/// Returns the bytes of one element; 0 if the type is not supported.
Int bytes_of(cudaDataType type);
bool is_complex_type(cudaDataType type);

/// Reads one element as T: float, double, their complex numbers, or int32. Small floats are exact as floats.
template <class T>
T load(cudaDataType type, const void* at);
/// Rounds once, to nearest even; 8-bit floats saturate, and so do integers.
template <class T>
void store(cudaDataType type, void* at, T value);

/// A column-major matrix of any type.
struct AnyMatrix {
  void* start;
  cudaDataType type;
  Int rows, columns, ld;

  void* at(Int i, Int j) const { return static_cast<std::byte*>(start) + (i + j * ld) * bytes_of(type); }
  bool list(const char* name, Use use) const {
    if (rows <= 0 || columns <= 0) return true;
    const Int bytes = bytes_of(type);
    return list_rows(name, start, static_cast<std::size_t>(rows * bytes), columns, ld * bytes, use);
  }
  /// Returns the elements without gaps.
  template <class T>
  std::vector<T> elements() const {
    std::vector<T> all(static_cast<std::size_t>(rows * columns));
    for (Int j = 0; j < columns; ++j) {
      for (Int i = 0; i < rows; ++i) all[static_cast<std::size_t>(i + j * rows)] = load<T>(type, at(i, j));
    }
    return all;
  }
};

/// The type that a product is summed in.
enum class Arithmetic { single, double_, integer, single_complex, double_complex, unsupported };

/// Calls f(T{}) with the type.
template <class F>
auto with_type(Arithmetic arithmetic, F&& f) {
  switch (arithmetic) {
    case Arithmetic::double_: return f(double{});
    case Arithmetic::integer: return f(std::int32_t{});
    case Arithmetic::single_complex: return f(std::complex<float>{});
    case Arithmetic::double_complex: return f(std::complex<double>{});
    default: return f(float{});
  }
}

}  // namespace rafter::simt::blas
