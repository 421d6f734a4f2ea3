// naive: one thread per element.
// A warp reads 32 adjacent elements in one request and writes them to 32 rows: 32 sectors for data that fits in four.
#include "library/core/cuda/launch.cuh"
#include "transpose/transpose_rung.hpp"

namespace rafter::transpose_ladder::RAFTER_BACKEND {

template <class Word>
__global__ void transpose_naive(TransposeArgs<Word> args) {
  const std::int64_t i = blockIdx.x * std::int64_t{blockDim.x} + threadIdx.x;
  if (i >= args.in.n_rows * args.in.n_cols) return;
  const std::int64_t row = i / args.in.n_cols;
  const std::int64_t col = i % args.in.n_cols;
  args.out.row(col)[row] = args.in.row(row)[col];
}

extern const TransposeRung naive{[]<class Word>(const Stream& stream, TransposeArgs<Word> args) {
  core::launch(transpose_naive<Word>, ceil_div(args.in.n_rows * args.in.n_cols, 256), 256, 0, stream, args);
}};

}  // namespace rafter::transpose_ladder::RAFTER_BACKEND
