// plain: row by row, on one thread.
// Reads are in order; every write goes to another line, which is long gone from the caches when its next element comes.
#include "transpose/transpose_rung.hpp"

namespace rafter::transpose_ladder::cpu {

template <class Word>
void plain(const Stream&, std::span<const Word> in, MatrixShape shape, std::span<Word> out) {
  for (std::int64_t row = 0; row < shape.n_rows; ++row) {
    for (std::int64_t col = 0; col < shape.n_cols; ++col)
      out.data()[col * shape.n_rows + row] = in.data()[row * shape.n_cols + col];
  }
}

RAFTER_TRANSPOSE_RUNG(plain);

}  // namespace rafter::transpose_ladder::cpu
