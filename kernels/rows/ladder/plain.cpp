// plain: row by row, one accumulator.
// A row is a chain of dependent additions. Short rows overlap in the core's out-of-order window; long ones wait for
// every addition.
#include "rows/rows_rung.hpp"

namespace rafter::rows_ladder::cpu {

extern const RowsRung plain{[]<class T>(const Stream&, RowsArgs<T> args) {
  for (std::int64_t row = 0; row < args.in.n_rows; ++row) {
    using Sum = core::Accumulator<T>;
    Sum total = 0;
    for (std::int64_t col = 0; col < args.in.n_cols; ++col) total += static_cast<Sum>(args.in.row(row)[col]);
    args.out[row] = static_cast<T>(total);
  }
}};

}  // namespace rafter::rows_ladder::cpu
