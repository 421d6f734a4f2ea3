// simd: several accumulators per row; short rows have their length compiled in.
// As fast as one core can load. Still one core.
#include "rows/cpu/rows_array.hpp"
#include "rows/rows_rung.hpp"

namespace rafter::rows_ladder::cpu {

extern const RowsRung simd{
    []<class T>(const Stream&, RowsArgs<T> args) { sum_rows(rows_of(args.in, 0, args.in.n_rows), args.out.data()); }};

}  // namespace rafter::rows_ladder::cpu
