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

template <class Word>
void naive(const Stream& stream, std::span<const Word> in, MatrixShape shape, std::span<Word> out) {
  core::launch(transpose_naive<Word>, ceil_div(std::ssize(in), 256), 256, 0, stream, in.data(), shape, out.data());
}

RAFTER_TRANSPOSE_RUNG(naive);

}  // namespace rafter::transpose_ladder::RAFTER_BACKEND
