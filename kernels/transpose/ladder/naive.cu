// naive: one thread per element.
// A warp reads 32 neighbours in one request and writes them to 32 rows: 32 sectors for what would fit into four.
#include "core/launch.cuh"
#include "transpose/transpose_rung.hpp"

namespace rafter::transpose_ladder::RAFTER_BACKEND {

template <class Word>
__global__ void transpose_naive(const Word* in, MatrixShape shape, Word* out) {
  const std::int64_t i = blockIdx.x * std::int64_t{blockDim.x} + threadIdx.x;
  if (i >= shape.n_rows * shape.n_cols) return;
  const std::int64_t row = i / shape.n_cols;
  const std::int64_t col = i % shape.n_cols;
  out[col * shape.n_rows + row] = in[i];
}

extern const TransposeRung naive{[]<class Word>(const Stream& stream, TransposeArgs<Word> args) {
  core::launch(transpose_naive<Word>, ceil_div(std::ssize(args.in), 256), 256, 0, stream, args.in.data(), args.shape,
               args.out.data());
}};

}  // namespace rafter::transpose_ladder::RAFTER_BACKEND
