// What a matrix looks like in memory.
#pragma once

#include <cstdint>

namespace rafter {

/// The shape of a row-major matrix.
struct MatrixShape {
  std::int64_t n_rows = 0;
  std::int64_t n_cols = 0;
};

}  // namespace rafter
