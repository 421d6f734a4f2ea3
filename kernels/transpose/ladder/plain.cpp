// plain: row by row, on one thread.
// Reads are in order; every write goes to another line, which is long gone from the caches when its next element comes.
#include "transpose/transpose_rung.hpp"

namespace rafter::transpose_ladder::cpu {

extern const TransposeRung plain{[]<class Word>(const Stream&, TransposeArgs<Word> args) {
  for (std::int64_t row = 0; row < args.in.n_rows; ++row) {
    for (std::int64_t col = 0; col < args.in.n_cols; ++col) args.out.row(col)[row] = args.in.row(row)[col];
  }
}};

}  // namespace rafter::transpose_ladder::cpu
