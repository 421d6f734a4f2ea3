// plain: one row after the other, one accumulator.
// A row is a chain of dependent additions; short rows overlap in the core's window, long ones wait for every add.
#include "rows/rows_rung.hpp"

namespace rafter::rows_ladder::cpu {

template <class T>
void plain(const Stream&, std::span<const T> in, MatrixShape shape, std::span<T> out) {
  for (std::int64_t row = 0; row < shape.n_rows; ++row) {
    T total = 0;
    for (std::int64_t col = 0; col < shape.n_cols; ++col) total += in[row * shape.n_cols + col];
    out[row] = total;
  }
}

RAFTER_ROWS_RUNG(plain);

}  // namespace rafter::rows_ladder::cpu
