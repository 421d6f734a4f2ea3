// thread_per_row: each thread sums one row.
// Adjacent threads read addresses a whole row apart: 32 sectors per request, with one word of each used. Good only for
// rows so short that the caches keep the rest of the sector.
#include "library/core/cuda/convert.cuh"
#include "library/core/cuda/launch.cuh"
#include "rows/rows_rung.hpp"

namespace rafter::rows_ladder::RAFTER_BACKEND {

template <class T>
__global__ void rows_thread_per_row(MatrixView<const T> in, T* out) {
  const std::int64_t row = blockIdx.x * std::int64_t{blockDim.x} + threadIdx.x;
  if (row >= in.n_rows) return;
  core::Accumulator<T> total = 0;
  for (std::int64_t col = 0; col < in.n_cols; ++col) total += core::widen(in.row(row)[col]);
  out[row] = core::round_to<T>(total);
}

extern const RowsRung thread_per_row{[]<class T>(const Stream& stream, RowsArgs<T> args) {
  core::launch(rows_thread_per_row<T>, ceil_div(args.in.n_rows, 256), 256, 0, stream, args.in, args.out.data());
}};

}  // namespace rafter::rows_ladder::RAFTER_BACKEND
