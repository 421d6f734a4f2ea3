// blocked: tiles of 32 x 32 in one thread.
// The lines of a tile stay in the first-level cache until they are full, unless a power of two between rows maps them
// all to one set. One element at a time.
#include <algorithm>

#include "transpose/transpose_rung.hpp"

namespace rafter::transpose_ladder::cpu {

extern const TransposeRung blocked{[]<class Word>(const Stream&, TransposeArgs<Word> args) {
  constexpr std::int64_t side = 32;
  const std::int64_t n_rows = args.in.n_rows, n_cols = args.in.n_cols;
  for (std::int64_t first_row = 0; first_row < n_rows; first_row += side) {
    for (std::int64_t first_col = 0; first_col < n_cols; first_col += side) {
      for (std::int64_t col = first_col; col < std::min(first_col + side, n_cols); ++col) {
        for (std::int64_t row = first_row; row < std::min(first_row + side, n_rows); ++row)
          args.out.row(col)[row] = args.in.row(row)[col];
      }
    }
  }
}};

}  // namespace rafter::transpose_ladder::cpu
