// Matrices with padded rows. The padding is NaN and must not be read or written.
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

/// Returns the contents of the padding: a NaN if T is a floating-point type.
template <class T>
constexpr T all_bits_set() {
  std::array<unsigned char, sizeof(T)> bytes{};
  for (unsigned char& byte : bytes) byte = 0xff;
  return std::bit_cast<T>(bytes);
}

/// Generates the elements of an array that contains a matrix with `row_stride` >= `n_cols` elements per row.
template <class Generate = Generator>
struct PitchedGenerator {
  static constexpr bool has_device_code = DeviceFunction<Generate>;
  Generate elements;  // elements of the matrix in row-major order
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
          .meaning = "row stride of " + matrix + " in elements; 0: its number of columns",
          .standard = std::int64_t{0},
          .shows_standard = false};
}

/// Returns the row stride, in elements, of a case's matrix with `n_cols` columns.
inline std::int64_t row_stride_of(const Params& params, std::int64_t n_cols, const std::string& pitch = "pitch") {
  const std::int64_t elements = params.integer_or(pitch, 0);
  if (elements != 0 && elements < n_cols) {
    throw Error(ErrorCode::bad_argument, pitch + " must be 0 or at least the " + std::to_string(n_cols) +
                                             " columns of a row; it is " + std::to_string(elements));
  }
  return elements == 0 ? n_cols : elements;
}

/// Returns the number of elements from the first to the last of a matrix, padding included.
inline std::int64_t extent_of(const MatrixShape& shape, std::int64_t row_stride) {
  return MatrixView<std::byte>::unchecked(nullptr, shape, row_stride).extent();
}

/// Makes the executor report accesses to the padding between rows; other devices ignore it.
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
