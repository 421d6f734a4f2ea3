// The loops under the CPU row sums, compiled once per instruction-set level.
#pragma once

#include <cstdint>

#include "library/core/cpu/isa.hpp"

namespace rafter::rows_ladder::cpu {

/// A range of rows of a matrix.
template <class T>
struct Rows {
  const T* data;
  std::int64_t n_rows;
  std::int64_t n_cols;
  std::int64_t row_stride;
};

struct RowLoops {
  void (*f32)(const Rows<float>& in, float* out);
  void (*f64)(const Rows<double>& in, double* out);
};

/// Returns the table of loops. They sum whole rows in one thread; the order of additions depends on the number of
/// columns alone.
RAFTER_DECLARE_ISA_TABLE(RowLoops, row_loops)

}  // namespace rafter::rows_ladder::cpu
