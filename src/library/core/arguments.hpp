// Argument checks of ops. Each throws Error (bad_argument) with what was expected and what was found.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <type_traits>

#include "library/core/stream/pointers.hpp"
#include "rafter/device_span.hpp"
#include "rafter/error.hpp"
#include "rafter/grid.hpp"
#include "rafter/matrix.hpp"

namespace rafter::core {

[[noreturn]] inline void refuse(const char* op, const char* argument, const std::string& complaint) {
  throw Error(ErrorCode::bad_argument, std::string(op) + ": " + argument + " " + complaint, op, argument);
}

// An Array is a DeviceSpan or a std::span.
template <class Array>
std::int64_t size_in_bytes(const Array& array) {
  return static_cast<std::int64_t>(array.size()) * static_cast<std::int64_t>(sizeof(*array.data()));
}

/// Requires a non-empty array of the host to be non-null and aligned to its element type.
template <class Array>
void require_host_array(const char* op, const char* argument, const Array& array) {
  constexpr std::size_t alignment = alignof(std::remove_reference_t<decltype(*array.data())>);
  if (array.empty()) return;
  if (array.data() == nullptr)
    refuse(op, argument, "is null but should hold " + std::to_string(array.size()) + " elements");
  if (reinterpret_cast<std::uintptr_t>(array.data()) % alignment != 0) {
    refuse(op, argument, "must be aligned to its element size of " + std::to_string(alignment) + " bytes");
  }
}

/// Requires a non-empty array to be non-null and aligned to its element type and, if the stream checks pointers, to be
/// accessible from the stream's device.
template <class Array>
void require_array(const Stream& stream, const char* op, const char* argument, const Array& array) {
  require_host_array(op, argument, array);
  if (stream.pointer_check() == PointerCheck::off) return;
  if (const auto why = why_inaccessible(stream, array.data(), size_in_bytes(array))) refuse(op, argument, *why);
}

/// Returns the memory of a view from its first element to its last, including the gaps between rows.
template <class T>
DeviceSpan<T> elements_of(const MatrixView<T>& matrix) {
  return DeviceSpan<T>::unchecked(matrix.data, matrix.extent());
}
template <class T>
DeviceSpan<T> elements_of(const GridView<T>& field) {
  return DeviceSpan<T>::unchecked(field.data, field.extent());
}

template <class Array>
void require_size(const char* op, const char* argument, const Array& array, std::int64_t expected) {
  if (static_cast<std::int64_t>(array.size()) != expected) {
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

/// Requires a valid shape and rows that do not overlap.
template <class T>
void require_layout(const char* op, const char* argument, const MatrixView<T>& matrix) {
  require_shape(op, matrix.shape(), matrix.row_stride);
  if (matrix.row_stride < matrix.n_cols) {
    refuse(op, argument,
           "must have a row_stride of at least its " + std::to_string(matrix.n_cols) + " columns, has " +
               std::to_string(matrix.row_stride));
  }
}

/// Requires a valid layout and valid memory.
template <class T>
void require_matrix(const Stream& stream, const char* op, const char* argument, const MatrixView<T>& matrix) {
  require_layout(op, argument, matrix);
  require_array(stream, op, argument, elements_of(matrix));
}

/// Requires rows and planes that do not overlap, and a shape whose cells fit 64 bits.
template <class T>
void require_layout(const char* op, const char* argument, const GridView<T>& field) {
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
}

/// Requires a valid layout and valid memory.
template <class T>
void require_field(const Stream& stream, const char* op, const char* argument, const GridView<T>& field) {
  require_layout(op, argument, field);
  require_array(stream, op, argument, elements_of(field));
}

/// Requires two arrays, also of different types, to share no byte.
template <class A, class B>
void require_disjoint(const char* op, const char* first, const A& a, const char* second, const B& b) {
  if (a.empty() || b.empty()) return;
  const std::less<const std::byte*> before;
  const auto* a_bytes = reinterpret_cast<const std::byte*>(a.data());
  const auto* b_bytes = reinterpret_cast<const std::byte*>(b.data());
  if (before(a_bytes, b_bytes + size_in_bytes(b)) && before(b_bytes, a_bytes + size_in_bytes(a))) {
    refuse(op, second, std::string("overlaps ") + first);
  }
}

}  // namespace rafter::core
