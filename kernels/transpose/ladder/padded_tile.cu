// padded_tile: shared_tile with one element of padding after each row of the tile.
// A column is now spread over 32 banks. What is left: one 4-byte load in flight per thread and step, mostly address
// computation, and matrices with a short side leave most of a tile empty.
#include "library/core/cuda/launch.cuh"
#include "transpose/transpose_rung.hpp"

namespace rafter::transpose_ladder::RAFTER_BACKEND {

template <class Word>
__global__ void transpose_padded_tile(TransposeArgs<Word> args, unsigned n_tile_cols) {
  constexpr int side = 32;
  constexpr int step = 8;  // rows moved at once by the block's 256 threads
  __shared__ Word tile[side][side + 1];
  const auto& [in, out] = args;
  const int x = static_cast<int>(threadIdx.x);
  const std::int64_t first_row = blockIdx.x / n_tile_cols * std::int64_t{side};
  const std::int64_t first_col = blockIdx.x % n_tile_cols * std::int64_t{side};
  for (int y = static_cast<int>(threadIdx.y); y < side; y += step) {
    if (first_row + y < in.n_rows && first_col + x < in.n_cols) tile[y][x] = in.row(first_row + y)[first_col + x];
  }
  __syncthreads();  // the tile is complete
  for (int y = static_cast<int>(threadIdx.y); y < side; y += step) {
    if (first_col + y < in.n_cols && first_row + x < in.n_rows) out.row(first_col + y)[first_row + x] = tile[x][y];
  }
}

extern const TransposeRung padded_tile{[]<class Word>(const Stream& stream, TransposeArgs<Word> args) {
  const std::int64_t n_tile_cols = ceil_div(args.in.n_cols, 32);
  core::launch(transpose_padded_tile<Word>, ceil_div(args.in.n_rows, 32) * n_tile_cols, dim3(32, 8), 0, stream, args,
               static_cast<unsigned>(n_tile_cols));
}};

}  // namespace rafter::transpose_ladder::RAFTER_BACKEND
