// threads: every thread runs the simd loop over one contiguous band of rows.
// All cores load at once, unless there are fewer rows than threads.
#include "library/core/parts.hpp"
#include "rows/cpu/rows_array.hpp"
#include "rows/rows_rung.hpp"

namespace rafter::rows_ladder::cpu {

extern const RowsRung threads{[]<class T>(const Stream& stream, RowsArgs<T> args) {
  core::for_parts(stream.n_threads(), args.in.n_rows, [&](std::int64_t first, std::int64_t last) {
    sum_rows(rows_of(args.in, first, last - first), args.out.data() + first);
  });
}};

}  // namespace rafter::rows_ladder::cpu
