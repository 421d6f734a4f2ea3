// by_shape: tiles through swizzled shared memory, in the widest pieces the rows are aligned to; matrices with one short
// side in chunks of whole rows or columns.
// Bound by DRAM: every byte is read once and written once, in whole sectors on both sides.
#include "transpose/transpose_runs.cuh"
#include "transpose/transpose_tiles.cuh"

namespace rafter::transpose_ladder::RAFTER_BACKEND {

extern const TransposeRung by_shape{[]<class Word>(const Stream& stream, TransposeArgs<Word> args) {
  constexpr auto short_side = static_cast<std::int64_t>(run_side_bytes / sizeof(Word));
  const TransposeView<Word> view = {args.in.data(), args.shape, args.out.data()};
  if (args.in.empty()) return;
  if (args.shape.n_cols <= std::min(short_side, args.shape.n_rows)) return transpose_tall_matrix(stream, view);
  if (args.shape.n_rows <= short_side) return transpose_wide_matrix(stream, view);
  transpose_by_tiles(stream, view);
}};

}  // namespace rafter::transpose_ladder::RAFTER_BACKEND
