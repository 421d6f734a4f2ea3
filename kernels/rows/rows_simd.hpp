// The loops under the CPU row sums, compiled per instruction-set level.
#pragma once

#include <cstdint>

#include "core/isa.hpp"

namespace rafter::rows_ladder::cpu {

struct RowLoops {
  void (*f32)(const float* in, std::int64_t n_rows, std::int64_t n_cols, float* out);
  void (*f64)(const double* in, std::int64_t n_rows, std::int64_t n_cols, double* out);

  void operator()(const float* in, std::int64_t n_rows, std::int64_t n_cols, float* out) const {
    f32(in, n_rows, n_cols, out);
  }
  void operator()(const double* in, std::int64_t n_rows, std::int64_t n_cols, double* out) const {
    f64(in, n_rows, n_cols, out);
  }
};

/// Sums whole rows, one thread; the order of additions depends on `n_cols` alone.
RAFTER_DECLARE_ISA_TABLE(RowLoops, row_loops)

}  // namespace rafter::rows_ladder::cpu
