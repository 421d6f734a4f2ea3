// The signature of rows' rungs: their arguments and element types.
#pragma once

#include <cstdint>
#include <span>

#include "library/core/dtype.hpp"
#include "library/core/rung.hpp"
#include "rafter/rows.hpp"

namespace rafter::rows_ladder {

template <class T>
struct RowsArgs {
  MatrixView<const T> in;
  std::span<T> out;  // [in.n_rows]
};

using RowsRung = core::RungOf<RowsArgs, RowsTypes>;

}  // namespace rafter::rows_ladder
