// simd: several accumulators a row, short rows with their length compiled in.
// As fast as one core can load; still one core.
#include "rows/rows_rung.hpp"
#include "rows/rows_simd.hpp"

namespace rafter::rows_ladder::cpu {

template <class T>
void simd(const Stream&, std::span<const T> in, MatrixShape shape, std::span<T> out) {
  row_loops()(in.data(), shape.n_rows, shape.n_cols, out.data());
}

RAFTER_ROWS_RUNG(simd);

}  // namespace rafter::rows_ladder::cpu
