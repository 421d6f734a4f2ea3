// by_shape: out[c][r] = in[r][c]. Tiles through swizzled shared memory, in the widest pieces the rows are aligned to;
// matrices with one short side as chunks of whole rows or columns.
// Bound by DRAM: every byte is read once and written once, in whole sectors on both sides.
#include "transpose/cuda/transpose_runs.cuh"
#include "transpose/cuda/transpose_tiles.cuh"

namespace rafter::transpose_ladder::RAFTER_BACKEND {

extern const TransposeRung by_shape{[]<class Word>(const Stream& stream, TransposeArgs<Word> args) {
  constexpr auto short_side = static_cast<std::int64_t>(run_side_bytes / sizeof(Word));
  const auto [n_rows, n_cols] = args.in.shape();
  const bool is_tall = n_cols <= std::min(short_side, n_rows);
  if (args.in.extent() == 0) return;
  if (is_tall && args.in.is_contiguous()) return transpose_tall_matrix(stream, args);
  if (!is_tall && n_rows <= short_side && args.out.is_contiguous()) return transpose_wide_matrix(stream, args);
  transpose_by_tiles(stream, args);
}};

}  // namespace rafter::transpose_ladder::RAFTER_BACKEND
