// Products of rows and a matrix in panels. Up to 14 rows x 2 vectors of columns are kept in registers: a loaded vector
// of weights serves 14 multiply-adds, an input two. For files compiled per instruction-set level
// (library/core/cpu/isa.hpp); all functions have internal linkage.
//
// A sum consists of runs of 256 products, added in order, for every number of rows: grouping rows does not change a
// bit. A run of a panel, 32 KiB, stays in the inner caches while all rows are processed.
#pragma once

#include <utility>

#include "library/core/cpu/float_vector.hpp"
#include "library/core/cpu/panels.hpp"

namespace rafter::core {

namespace {

constexpr int n_columns = 2;                            // vectors
constexpr int most_rows = n_registers / n_columns - 2;  // leaves registers for weights and an input
constexpr std::int64_t run_length = 256;
constexpr float zeros[panel_width] = {};
constexpr int block_width = n_columns * n_lanes;

/// The operands of a block.
struct Block {
  Rows<const float> in;
  std::int64_t n_in;
  const float* weights;  // [n_in][panel_width], starting at the block's first column
  const float* start;    // initial values of the sums
  Rows<float> out;
  bool adds;  // whether the sums are added to the previous ones
};

/// Computes N x n_columns vectors of sums.
template <int N>
void multiply_block(const Block& block) {
  Vector sums[N][n_columns];
  RAFTER_UNROLL
  for (int i = 0; i < N * n_columns; ++i)
    sums[i / n_columns][i % n_columns] = load(block.start + i % n_columns * n_lanes);
  const float* in = block.in.data;
  const float* weights = block.weights;
  for (std::int64_t k = 0; k < block.n_in; ++k, ++in, weights += panel_width) {
    Vector weight[n_columns];
    RAFTER_UNROLL
    for (int c = 0; c < n_columns; ++c) weight[c] = load(weights + c * n_lanes);
    RAFTER_UNROLL
    for (int row = 0; row < N; ++row) {
      const Vector value = in_all_lanes(in[row * block.in.pitch]);
      RAFTER_UNROLL
      for (int c = 0; c < n_columns; ++c) sums[row][c] = fma(value, weight[c], sums[row][c]);
    }
  }
  const auto out = [&](int i) { return block.out.data + i / n_columns * block.out.pitch + i % n_columns * n_lanes; };
  if (block.adds) {
    RAFTER_UNROLL
    for (int i = 0; i < N * n_columns; ++i) sums[i / n_columns][i % n_columns] += load(out(i));
  }
  RAFTER_UNROLL
  for (int i = 0; i < N * n_columns; ++i) store(out(i), sums[i / n_columns][i % n_columns]);
}

using MultiplyBlock = void (*)(const Block&);
constexpr auto multiply_blocks = []<int... I>(std::integer_sequence<int, I...>) {
  struct {
    MultiplyBlock of_rows[most_rows + 1];
  } table{{nullptr, multiply_block<I + 1>...}};
  return table;
}
(std::make_integer_sequence<int, most_rows>());

/// Computes a run of products for all rows and whole panels, in blocks of nearly equal numbers of rows. Padding columns
/// are computed, too: uninitialised memory could hold NaNs, which the zeros of the next matrix would not cancel.
void multiply_run(Rows<const float> in, std::int64_t n_rows, const Panels& by, std::int64_t first, Rows<float> out) {
  const std::int64_t n_in = by.n_in - first < run_length ? by.n_in - first : run_length;
  const std::int64_t n_blocks = (n_rows + most_rows - 1) / most_rows;
  const std::int64_t n_panels = (by.n_out + panel_width - 1) / panel_width;
  for (std::int64_t column = 0; column < n_panels * panel_width; column += block_width) {
    const std::int64_t panel = column / panel_width * panel_width;
    for (std::int64_t i = 0; i < n_blocks; ++i) {
      const std::int64_t row = i * n_rows / n_blocks, end = (i + 1) * n_rows / n_blocks;
      multiply_blocks.of_rows[end - row]({.in = {in.data + row * in.pitch + first, in.pitch},
                                          .n_in = n_in,
                                          .weights = by.matrix + panel * by.n_in + first * panel_width + column - panel,
                                          .start = first == 0 ? by.bias + column : zeros,
                                          .out = {out.data + row * out.pitch + column, out.pitch},
                                          .adds = first > 0});
    }
  }
}

/// Computes out = bias + in . matrix, in whole panels. A row's result does not depend on the other rows.
void multiply(Rows<const float> in, std::int64_t n_rows, const Panels& by, Rows<float> out) {
  for (std::int64_t first = 0; first < by.n_in; first += run_length) multiply_run(in, n_rows, by, first, out);
}

}  // namespace

}  // namespace rafter::core
