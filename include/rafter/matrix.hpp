// Shapes and views of matrices in memory.
#pragma once

#include <cstdint>
#include <type_traits>

#include "rafter/device_span.hpp"
#include "rafter/export.hpp"

namespace rafter::inline v1 {

/// The shape of a row-major matrix.
struct MatrixShape {
  std::int64_t n_rows = 0;
  std::int64_t n_cols = 0;
};

namespace detail {
/// Throws Error (bad_argument) unless the view's extents and strides are valid and `size` elements suffice for it.
RAFTER_API void require_matrix_view(const MatrixShape& shape, std::int64_t row_stride, std::int64_t size);
}  // namespace detail

/// A non-owning view of a row-major matrix or of a part of one. Rows begin `row_stride` elements apart, at least
/// `n_cols`; the elements between rows are neither read nor written.
template <class T>
struct MatrixView {
  T* data = nullptr;
  std::int64_t n_rows = 0;
  std::int64_t n_cols = 0;
  std::int64_t row_stride = 0;

  constexpr MatrixView() noexcept = default;
  /// Throws Error (bad_argument) if rows overlap or `elements` does not contain them all.
  MatrixView(DeviceSpan<T> elements, const MatrixShape& extents, std::int64_t stride)
      : MatrixView(elements.data(), extents, stride) {
    detail::require_matrix_view(extents, stride, elements.size());
  }
  /// Returns a view without a check; the caller guarantees that the memory is accessible where the view is used.
  [[nodiscard]] static constexpr MatrixView unchecked(T* first, const MatrixShape& extents,
                                                      std::int64_t stride) noexcept {
    return {first, extents, stride};
  }
  [[nodiscard]] static constexpr MatrixView unchecked(T* first, const MatrixShape& extents) noexcept {
    return {first, extents, extents.n_cols};
  }

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
    return MatrixView<U>::unchecked(data, shape(), row_stride);
  }

 private:
  constexpr MatrixView(T* first, const MatrixShape& extents, std::int64_t stride) noexcept
      : data(first), n_rows(extents.n_rows), n_cols(extents.n_cols), row_stride(stride) {}
};

/// Returns a view of a matrix without gaps between rows. Throws like MatrixView's constructor.
template <class T>
[[nodiscard]] MatrixView<T> contiguous_view(DeviceSpan<T> elements, const MatrixShape& shape) {
  return {elements, shape, shape.n_cols};
}

}  // namespace rafter::inline v1
