// One half of a square matrix, stored in full, as a band, or packed: the operand of symmetric, hermitian and triangular
// functions.
#pragma once

#include <algorithm>

#include "executor/libraries/blas/call.hpp"

namespace rafter::simt::blas {

/// The elements on the diagonal and on one side of it. T may be const.
template <class T>
struct HalfMatrix {
  enum class Storage { full, band, packed };

  T* start;
  Int n, ld;
  Int width;  // diagonals besides the main one
  Storage storage;
  bool is_upper;
  bool has_unit_diagonal = false;  // which is not read

  static HalfMatrix full(T* a, Int n, Int ld, cublasFillMode_t uplo) {
    return {a, n, ld, n - 1, Storage::full, uplo == CUBLAS_FILL_MODE_UPPER};
  }
  static HalfMatrix band(T* a, Int n, Int k, Int ld, cublasFillMode_t uplo) {
    return {a, n, ld, k, Storage::band, uplo == CUBLAS_FILL_MODE_UPPER};
  }
  static HalfMatrix packed(T* a, Int n, cublasFillMode_t uplo) {
    return {a, n, 0, n - 1, Storage::packed, uplo == CUBLAS_FILL_MODE_UPPER};
  }
  HalfMatrix with(cublasDiagType_t diag) const {
    HalfMatrix result = *this;
    result.has_unit_diagonal = diag == CUBLAS_DIAG_UNIT;
    return result;
  }

  /// The rows of column j that are stored.
  Int first(Int j) const { return is_upper ? std::max<Int>(0, j - width) : j; }
  Int end(Int j) const { return is_upper ? j + 1 : std::min(n, j + width + 1); }
  T& at(Int i, Int j) const {
    switch (storage) {
      case Storage::full: return start[i + j * ld];
      case Storage::band: return start[(is_upper ? width : 0) + i - j + j * ld];
      case Storage::packed: return start[is_upper ? i + j * (j + 1) / 2 : i - j + j * (2 * n - j + 1) / 2];
    }
    return *start;
  }
  /// An element that is read, with the ones of a unit diagonal.
  std::remove_const_t<T> get(Int i, Int j) const {
    return i == j && has_unit_diagonal ? std::remove_const_t<T>(1) : at(i, j);
  }

  bool list(const char* name, Use use) const {
    for (Int j = 0; j < n; ++j) {
      const Int from = first(j) + (has_unit_diagonal && !is_upper), to = end(j) - (has_unit_diagonal && is_upper);
      const auto bytes = static_cast<std::size_t>(std::max<Int>(0, to - from)) * sizeof(T);
      if (bytes > 0 && !list_rows(name, &at(from, j), bytes, 1, static_cast<std::ptrdiff_t>(bytes), use)) return false;
    }
    return true;
  }
};

/// Calls f(i, j) for each stored element.
template <class T, class F>
void for_elements(const HalfMatrix<T>& a, F&& f) {
  for (Int j = 0; j < a.n; ++j) {
    for (Int i = a.first(j); i < a.end(j); ++i) f(i, j);
  }
}

}  // namespace rafter::simt::blas
