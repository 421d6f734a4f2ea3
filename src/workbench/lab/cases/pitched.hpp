// Matrices whose rows lie apart: what is between them is NaN, and nobody may read or write it.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

#include "library/core/stream/backend.hpp"
#include "rafter/error.hpp"
#include "rafter/matrix.hpp"
#include "workbench/lab/data/generate.hpp"
#include "workbench/lab/workload/params.hpp"

namespace rafter::lab {

/// What is between rows: a NaN, if it is a number with such.
template <class T>
constexpr T all_bits_set() {
  std::array<unsigned char, sizeof(T)> bytes{};
  for (unsigned char& byte : bytes) byte = 0xff;
  return std::bit_cast<T>(bytes);
}

/// Elements of an array that holds a matrix with `row_stride` elements from row to row, at least `n_cols`.
template <class Generate = Generator>
struct PitchedGenerator {
  static constexpr bool has_device_code = DeviceFunction<Generate>;
  Generate elements;  // of the matrix, row by row
  std::int64_t n_cols = 0;
  std::int64_t row_stride = 0;

  constexpr auto operator()(std::int64_t index) const {
    using Element = decltype(elements(index));
    if (row_stride == n_cols) return elements(index);
    const std::int64_t row = index / row_stride;
    const std::int64_t col = index % row_stride;
    return col < n_cols ? elements(row * n_cols + col) : all_bits_set<Element>();
  }
};

inline Parameter pitch_parameter(std::string name, const std::string& matrix) {
  return {.name = std::move(name),
          .meaning = "elements from row to row of " + matrix + "; 0: as many as it has columns",
          .standard = std::int64_t{0},
          .shows_standard = false};
}

/// Elements from row to row of a case's matrix with so many columns.
inline std::int64_t row_stride_of(const Params& params, std::int64_t n_cols, const std::string& pitch = "pitch") {
  const std::int64_t elements = params.integer_or(pitch, 0);
  if (elements != 0 && elements < n_cols) {
    throw Error(ErrorCode::bad_argument, pitch + " must be 0 or at least the " + std::to_string(n_cols) +
                                             " columns of a row, is " + std::to_string(elements));
  }
  return elements == 0 ? n_cols : elements;
}

/// Elements from the first to the last of a matrix.
inline std::int64_t extent_of(const MatrixShape& shape, std::int64_t row_stride) {
  return MatrixView<std::byte>{nullptr, shape.n_rows, shape.n_cols, row_stride}.extent();
}

/// Lets a device that can watch complain when something between the rows is touched.
template <class T>
void forbid_gaps(const Stream& stream, const MatrixView<T>& matrix) {
  const std::int64_t gap = matrix.row_stride - matrix.n_cols;
  if (gap == 0) return;
  core::Backend& device = core::backend(stream.device());
  for (std::int64_t row = 0; row < matrix.n_rows - 1; ++row) {
    device.forbid(const_cast<std::remove_const_t<T>*>(matrix.row(row)) + matrix.n_cols,
                  gap * static_cast<std::int64_t>(sizeof(T)));
  }
}

}  // namespace rafter::lab
