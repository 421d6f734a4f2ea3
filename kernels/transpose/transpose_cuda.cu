// by_shape: tiles through swizzled shared memory, in the widest pieces the rows are aligned to; matrices with one short
// side in chunks of whole rows or columns.
// Bound by DRAM: every byte is read once and written once, in whole sectors on both sides.
#include "transpose/transpose_runs.cuh"
#include "transpose/transpose_tiles.cuh"

namespace rafter::transpose_ladder::RAFTER_BACKEND {

template <class Word>
void by_shape(const Stream& stream, std::span<const Word> in, MatrixShape shape, std::span<Word> out) {
  constexpr auto short_side = static_cast<std::int64_t>(run_side_bytes / sizeof(Word));
  const TransposeArgs<Word> args = {in.data(), shape, out.data()};
  if (in.empty()) return;
  if (shape.n_cols <= std::min(short_side, shape.n_rows)) return transpose_tall_matrix(stream, args);
  if (shape.n_rows <= short_side) return transpose_wide_matrix(stream, args);
  transpose_by_tiles(stream, args);
}

RAFTER_TRANSPOSE_RUNG(by_shape);

}  // namespace rafter::transpose_ladder::RAFTER_BACKEND
