// Argument checks of ops. Each throws Error (bad_argument) with what was expected and what was found.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <string>

#include "rafter/error.hpp"
#include "rafter/grid.hpp"
#include "rafter/matrix.hpp"

namespace rafter::core {

[[noreturn]] inline void refuse(const char* op, const char* argument, const std::string& complaint) {
  throw Error(ErrorCode::bad_argument, std::string(op) + ": " + argument + " " + complaint, op, argument);
}

/// Requires a non-empty array to be non-null and aligned to its element type.
template <class T>
void require_array(const char* op, const char* argument, std::span<T> array) {
  if (array.empty()) return;
  if (array.data() == nullptr)
    refuse(op, argument, "is null but should hold " + std::to_string(array.size()) + " elements");
  if (reinterpret_cast<std::uintptr_t>(array.data()) % alignof(T) != 0) {
    refuse(op, argument, "must be aligned to its element size of " + std::to_string(alignof(T)) + " bytes");
  }
}

/// Returns the memory of a view from its first element to its last, including the gaps between rows.
template <class T>
std::span<T> elements_of(const MatrixView<T>& matrix) {
  return {matrix.data, static_cast<std::size_t>(matrix.extent())};
}
template <class T>
std::span<T> elements_of(const GridView<T>& field) {
  return {field.data, static_cast<std::size_t>(field.extent())};
}

template <class T>
void require_size(const char* op, const char* argument, std::span<T> array, std::int64_t expected) {
  if (std::ssize(array) != expected) {
    refuse(op, argument, "should have " + std::to_string(expected) + " elements, has " + std::to_string(array.size()));
  }
}

/// Requires extents of 0 or more, and few enough elements for their bytes to fit 64 bits.
inline void require_shape(const char* op, const MatrixShape& shape, std::int64_t row_stride) {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max() / 16;
  const auto& [n_rows, n_cols] = shape;
  if (n_rows >= 0 && n_cols >= 0 && row_stride <= most && (row_stride <= 0 || n_rows <= most / row_stride)) return;
  refuse(op, "shape",
         "must have extents of 0 or more and fewer than 2^59 elements, is (" + std::to_string(n_rows) + ", " +
             std::to_string(n_cols) + ")");
}

/// Requires a valid shape, rows that do not overlap, and valid memory.
template <class T>
void require_matrix(const char* op, const char* argument, const MatrixView<T>& matrix) {
  require_shape(op, matrix.shape(), matrix.row_stride);
  if (matrix.row_stride < matrix.n_cols) {
    refuse(op, argument,
           "must have a row_stride of at least its " + std::to_string(matrix.n_cols) + " columns, has " +
               std::to_string(matrix.row_stride));
  }
  require_array(op, argument, elements_of(matrix));
}

/// Requires rows and planes that do not overlap, valid memory, and a shape whose cells fit 64 bits.
template <class T>
void require_field(const char* op, const char* argument, const GridView<T>& field) {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max() / 16;
  const auto& [nz, ny, nx] = field.shape;
  const auto refuse_stride = [&](const std::string& name, const std::string& expected, std::int64_t stride) {
    refuse(op, argument, "must have a " + name + " of " + expected + ", has " + std::to_string(stride));
  };
  const auto at_least = [](std::int64_t least, const std::string& why) {
    return "at least " + std::to_string(least) + ", " + why;
  };
  if (field.row_stride < nx) refuse_stride("row_stride", at_least(nx, "its cells along x"), field.row_stride);
  if (ny > 0 && field.row_stride > most / ny) refuse_stride("row_stride", "fewer than 2^59 / ny", field.row_stride);
  if (field.plane_stride < field.plane_extent())
    refuse_stride("plane_stride", at_least(field.plane_extent(), "the extent of its rows"), field.plane_stride);
  if (nz > 0 && field.plane_stride > most / nz)
    refuse_stride("plane_stride", "fewer than 2^59 / nz", field.plane_stride);
  require_array(op, argument, elements_of(field));
}

template <class T>
void require_disjoint(const char* op, const char* first, std::span<const T> a, const char* second,
                      std::span<const T> b) {
  const std::less<const T*> before;
  if (a.empty() || b.empty()) return;
  if (before(a.data(), b.data() + b.size()) && before(b.data(), a.data() + a.size())) {
    refuse(op, second, std::string("overlaps ") + first);
  }
}

}  // namespace rafter::core
