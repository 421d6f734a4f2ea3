// warp_per_row: the 32 lanes of a warp stride over one row.
// Coalesced: 4 sectors per request. Rows shorter than 32 leave lanes idle, and few long rows leave the GPU idle.
#include "library/core/cuda/launch.cuh"
#include "library/core/cuda/reduce.cuh"
#include "rows/rows_rung.hpp"

namespace rafter::rows_ladder::RAFTER_BACKEND {

template <class T>
__global__ void rows_warp_per_row(MatrixView<const T> in, T* out) {
  const int lane = static_cast<int>(threadIdx.x) % core::warp_size;
  const std::int64_t row = (blockIdx.x * std::int64_t{blockDim.x} + threadIdx.x) / core::warp_size;
  if (row >= in.n_rows) return;  // uniform over the warp
  core::Accumulator<T> total = 0;
  for (std::int64_t col = lane; col < in.n_cols; col += core::warp_size) total += core::widen(in.row(row)[col]);
  total = core::warp_sum(total);
  if (lane == 0) out[row] = core::round_to<T>(total);
}

extern const RowsRung warp_per_row{[]<class T>(const Stream& stream, RowsArgs<T> args) {
  constexpr int rows_per_block = 256 / core::warp_size;
  core::launch(rows_warp_per_row<T>, ceil_div(args.in.n_rows, rows_per_block), 256, 0, stream, args.in,
               args.out.data());
}};

}  // namespace rafter::rows_ladder::RAFTER_BACKEND
