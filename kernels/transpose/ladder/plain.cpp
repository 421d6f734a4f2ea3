// plain: row by row in one thread.
// Reads are sequential; every write goes to another line, which has left the caches before its next element is written.
#include "transpose/transpose_rung.hpp"

namespace rafter::transpose_ladder::cpu {

extern const TransposeRung plain{[]<class Word>(const Stream&, TransposeArgs<Word> args) {
  for (std::int64_t row = 0; row < args.in.n_rows; ++row) {
    for (std::int64_t col = 0; col < args.in.n_cols; ++col) args.out.row(col)[row] = args.in.row(row)[col];
  }
}};

}  // namespace rafter::transpose_ladder::cpu
