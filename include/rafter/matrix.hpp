// Shapes and views of matrices in memory.
#pragma once

#include <cstdint>
#include <type_traits>

namespace rafter::inline v1 {

/// The shape of a row-major matrix.
struct MatrixShape {
  std::int64_t n_rows = 0;
  std::int64_t n_cols = 0;
};

/// A non-owning view of a row-major matrix or of a part of one. Rows begin `row_stride` elements apart, at least
/// `n_cols`; the elements between rows are neither read nor written.
template <class T>
struct MatrixView {
  T* data = nullptr;
  std::int64_t n_rows = 0;
  std::int64_t n_cols = 0;
  std::int64_t row_stride = 0;

  [[nodiscard]] constexpr T* row(std::int64_t i) const { return data + i * row_stride; }
  [[nodiscard]] constexpr MatrixShape shape() const { return {n_rows, n_cols}; }
  [[nodiscard]] constexpr bool is_contiguous() const { return row_stride == n_cols || n_rows <= 1; }
  /// The distance from the first element to one past the last, in elements.
  [[nodiscard]] constexpr std::int64_t extent() const {
    return n_rows > 0 && n_cols > 0 ? (n_rows - 1) * row_stride + n_cols : 0;
  }

  /// Converts to a view of const elements.
  template <class U>
  requires(std::is_same_v<U, const T> && !std::is_const_v<T>) constexpr operator MatrixView<U>() const {
    return {data, n_rows, n_cols, row_stride};
  }
};

/// Returns a view of a matrix without gaps between rows.
template <class T>
[[nodiscard]] constexpr MatrixView<T> contiguous_view(T* data, const MatrixShape& shape) {
  return {data, shape.n_rows, shape.n_cols, shape.n_cols};
}

}  // namespace rafter::inline v1
