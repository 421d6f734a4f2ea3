// Sums whole rows in one thread, for all element types.
#pragma once

#include <algorithm>
#include <cstdint>

#include "library/core/cpu/blocks.hpp"
#include "rafter/matrix.hpp"
#include "rows/rows_simd.hpp"
#include "sum/cpu/sum_array.hpp"

namespace rafter::rows_ladder::cpu {

/// Returns `n` rows of a matrix, starting at `first`.
template <class T>
Rows<T> rows_of(const MatrixView<const T>& in, std::int64_t first, std::int64_t n) {
  return {in.row(first), n, in.n_cols, in.row_stride};
}

/// Sums rows in an order of additions that depends on the number of columns alone.
inline void sum_rows(const Rows<float>& in, float* out) { row_loops().f32(in, out); }
inline void sum_rows(const Rows<double>& in, double* out) { row_loops().f64(in, out); }

/// Sums as many rows at a time as fit into a block of floats.
template <core::SixteenBits T>
void sum_rows(const Rows<T>& in, T* out) {
  constexpr std::int64_t most_rows = 512;
  if (in.n_cols > core::block_elements) {
    for (std::int64_t row = 0; row < in.n_rows; ++row)
      out[row] = static_cast<T>(sum_ladder::cpu::sum_array(in.data + row * in.row_stride, in.n_cols));
    return;
  }
  alignas(64) float block[core::block_elements];
  float sums[most_rows];
  const std::int64_t at_once = std::min(core::block_elements / std::max(in.n_cols, std::int64_t{1}), most_rows);
  for (std::int64_t first = 0; first < in.n_rows; first += at_once) {
    const std::int64_t n_rows = std::min(at_once, in.n_rows - first);
    const T* rows = in.data + first * in.row_stride;
    if (in.row_stride == in.n_cols) {
      core::widen(rows, n_rows * in.n_cols, block);
    } else {
      for (std::int64_t row = 0; row < n_rows; ++row)
        core::widen(rows + row * in.row_stride, in.n_cols, block + row * in.n_cols);
    }
    sum_rows(Rows<float>{block, n_rows, in.n_cols, in.n_cols}, sums);
    core::round(sums, n_rows, out + first);
  }
}

}  // namespace rafter::rows_ladder::cpu
