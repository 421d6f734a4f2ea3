// threads: every thread runs the simd loop over one contiguous band of rows.
// All cores load at once, unless there are fewer rows than threads.
#include "rows/cpu/rows_array.hpp"
#include "rows/rows_rung.hpp"

namespace rafter::rows_ladder::cpu {

extern const RowsRung threads{[]<class T>(const Stream& stream, RowsArgs<T> args) {
  const std::int64_t n_parts = stream.n_threads();
#pragma omp parallel for schedule(static) num_threads(stream.n_threads())
  for (std::int64_t part = 0; part < n_parts; ++part) {
    const std::int64_t first = args.in.n_rows * part / n_parts;
    const std::int64_t last = args.in.n_rows * (part + 1) / n_parts;
    sum_rows(rows_of(args.in, first, last - first), args.out.data() + first);
  }
}};

}  // namespace rafter::rows_ladder::cpu
