// What a field on a grid looks like in memory.
#pragma once

#include <cstdint>
#include <type_traits>

namespace rafter {

/// The cells of a grid, [nz, ny, nx].
struct GridShape {
  std::int64_t nz = 0;
  std::int64_t ny = 0;
  std::int64_t nx = 0;

  constexpr std::int64_t n_cells() const noexcept { return nz * ny * nx; }
  friend bool operator==(const GridShape&, const GridShape&) = default;
};

/// A field on a grid, or a box of a larger one, in memory that others own; x is contiguous. Rows begin `row_stride`
/// elements apart, at least nx, and planes `plane_stride`, at least plane_extent(); what lies between them is neither
/// read nor written.
template <class T>
struct GridView {
  T* data = nullptr;
  GridShape shape = {};
  std::int64_t row_stride = 0;
  std::int64_t plane_stride = 0;

  constexpr std::int64_t index(std::int64_t z, std::int64_t y, std::int64_t x) const {
    return z * plane_stride + y * row_stride + x;
  }
  constexpr T* row(std::int64_t z, std::int64_t y) const { return data + index(z, y, 0); }
  constexpr bool is_contiguous() const { return row_stride == shape.nx && plane_stride == shape.ny * shape.nx; }
  /// From the first element of a plane to its last, in elements.
  constexpr std::int64_t plane_extent() const { return (shape.ny - 1) * row_stride + shape.nx; }
  /// From the first element to the last.
  constexpr std::int64_t extent() const {
    return shape.n_cells() > 0 ? (shape.nz - 1) * plane_stride + plane_extent() : 0;
  }
  /// The cells of a box that begins at (z, y, x).
  constexpr GridView box(std::int64_t z, std::int64_t y, std::int64_t x, const GridShape& cells) const {
    return {data + index(z, y, x), cells, row_stride, plane_stride};
  }

  /// Of elements that may not be written.
  template <class U>
  requires(std::is_same_v<U, const T> && !std::is_const_v<T>) constexpr operator GridView<U>() const {
    return {data, shape, row_stride, plane_stride};
  }
};

/// Of rows and planes without anything in between.
template <class T>
constexpr GridView<T> contiguous_field(T* data, const GridShape& shape) {
  return {data, shape, shape.nx, shape.ny * shape.nx};
}

}  // namespace rafter
