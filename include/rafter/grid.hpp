// Shapes and views of fields on a grid.
#pragma once

#include <cstdint>
#include <type_traits>

#include "rafter/device_span.hpp"
#include "rafter/export.hpp"

namespace rafter::inline v1 {

/// The number of cells along each axis, [nz, ny, nx].
struct GridShape {
  std::int64_t nz = 0;
  std::int64_t ny = 0;
  std::int64_t nx = 0;

  [[nodiscard]] constexpr std::int64_t n_cells() const noexcept { return nz * ny * nx; }
  friend bool operator==(const GridShape&, const GridShape&) = default;
};

/// A box of cells of a grid: its first cell and its extents.
struct GridBox {
  std::int64_t z = 0;
  std::int64_t y = 0;
  std::int64_t x = 0;
  GridShape shape = {};

  friend bool operator==(const GridBox&, const GridBox&) = default;
};

namespace detail {
/// Throws Error (bad_argument) unless the view's extents and strides are valid and `size` elements suffice for it.
RAFTER_API void require_grid_view(const GridShape& shape, std::int64_t row_stride, std::int64_t plane_stride,
                                  std::int64_t size);
}  // namespace detail

/// A non-owning view of a field on a grid, or of a box of a larger field; x is contiguous. Rows begin `row_stride`
/// elements apart, at least nx, and planes `plane_stride`, at least plane_extent(). The elements between them are
/// neither read nor written.
template <class T>
struct GridView {
  T* data = nullptr;
  GridShape shape = {};
  std::int64_t row_stride = 0;
  std::int64_t plane_stride = 0;

  constexpr GridView() noexcept = default;
  /// Throws Error (bad_argument) if rows or planes overlap or `cells` does not contain them all.
  GridView(DeviceSpan<T> cells, const GridShape& extents, std::int64_t stride_y, std::int64_t stride_z)
      : GridView(cells.data(), extents, stride_y, stride_z) {
    detail::require_grid_view(extents, stride_y, stride_z, cells.size());
  }
  /// Returns a view without a check; the caller guarantees that the memory is accessible where the view is used.
  [[nodiscard]] static constexpr GridView unchecked(T* first, const GridShape& extents, std::int64_t stride_y,
                                                    std::int64_t stride_z) noexcept {
    return {first, extents, stride_y, stride_z};
  }
  [[nodiscard]] static constexpr GridView unchecked(T* first, const GridShape& extents) noexcept {
    return {first, extents, extents.nx, extents.ny * extents.nx};
  }

  [[nodiscard]] constexpr std::int64_t index(std::int64_t z, std::int64_t y, std::int64_t x) const {
    return z * plane_stride + y * row_stride + x;
  }
  [[nodiscard]] constexpr T* row(std::int64_t z, std::int64_t y) const { return data + index(z, y, 0); }
  [[nodiscard]] constexpr bool is_contiguous() const {
    return row_stride == shape.nx && plane_stride == shape.ny * shape.nx;
  }
  /// The distance from the first element of a plane to one past its last, in elements.
  [[nodiscard]] constexpr std::int64_t plane_extent() const { return (shape.ny - 1) * row_stride + shape.nx; }
  /// The distance from the first element to one past the last, in elements.
  [[nodiscard]] constexpr std::int64_t extent() const {
    return shape.n_cells() > 0 ? (shape.nz - 1) * plane_stride + plane_extent() : 0;
  }
  /// Returns the view of a box of `cells` that begins at (z, y, x).
  [[nodiscard]] constexpr GridView box(std::int64_t z, std::int64_t y, std::int64_t x, const GridShape& cells) const {
    return {data + index(z, y, x), cells, row_stride, plane_stride};
  }
  [[nodiscard]] constexpr GridView box(const GridBox& cells) const {
    return box(cells.z, cells.y, cells.x, cells.shape);
  }

  /// Converts to a view of const elements.
  template <class U>
  requires(std::is_same_v<U, const T> && !std::is_const_v<T>) constexpr operator GridView<U>() const {
    return GridView<U>::unchecked(data, shape, row_stride, plane_stride);
  }

 private:
  constexpr GridView(T* first, const GridShape& extents, std::int64_t stride_y, std::int64_t stride_z) noexcept
      : data(first), shape(extents), row_stride(stride_y), plane_stride(stride_z) {}
};

/// Returns a view of a field without gaps between rows and planes. Throws like GridView's constructor.
template <class T>
[[nodiscard]] GridView<T> contiguous_field(DeviceSpan<T> cells, const GridShape& shape) {
  return {cells, shape, shape.nx, shape.ny * shape.nx};
}

}  // namespace rafter::inline v1
