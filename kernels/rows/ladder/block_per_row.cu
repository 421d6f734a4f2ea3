// block_per_row: the 256 threads of a block stride over one row.
// Good for a thousand rows of many thousand columns. Short rows leave most threads idle, and with fewer rows than
// multiprocessors most of the GPU is idle.
#include "library/core/cuda/launch.cuh"
#include "library/core/cuda/reduce.cuh"
#include "rows/rows_rung.hpp"

namespace rafter::rows_ladder::RAFTER_BACKEND {

inline constexpr int row_threads = 256;

template <class T>
__global__ void rows_block_per_row(MatrixView<const T> in, T* out) {
  __shared__ core::BlockSumStorage<core::Accumulator<T>, row_threads> storage;
  const T* row = in.row(blockIdx.x);
  core::Accumulator<T> total = 0;
  for (std::int64_t col = threadIdx.x; col < in.n_cols; col += row_threads) total += core::widen(row[col]);
  total = core::block_sum(total, storage);
  if (threadIdx.x == 0) out[blockIdx.x] = core::round_to<T>(total);
}

extern const RowsRung block_per_row{[]<class T>(const Stream& stream, RowsArgs<T> args) {
  core::launch(rows_block_per_row<T>, args.in.n_rows, row_threads, 0, stream, args.in, args.out.data());
}};

}  // namespace rafter::rows_ladder::RAFTER_BACKEND
