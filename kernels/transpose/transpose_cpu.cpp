// buffered_tiles: out[c][r] = in[r][c], in tiles of 16 or 32 KiB that are divided among the threads. Each tile is
// transposed in vector registers; whole lines of the output are written with streaming stores, others through a buffer
// in the first-level cache, one run at a time.
// Bound by memory, which has less bandwidth for short runs than for long ones.
#include <algorithm>

#include "library/core/arithmetic.hpp"
#include "library/core/parts.hpp"
#include "transpose/transpose_rung.hpp"
#include "transpose/transpose_simd.hpp"

namespace rafter::transpose_ladder::cpu {

namespace {

struct Extent {
  std::int64_t n_rows;
  std::int64_t n_cols;
};

/// The division into tiles of a matrix that is long on both sides.
struct Tiling {
  std::int64_t n_cols;  // per tile; as many rows as fit
  std::int64_t band;    // rows of tiles per band; tiles go down a band's columns, one after another
  bool asks_ahead;      // whether to prefetch the next tile
};

/// Returns the tiling. `whole_lines`: every row of the output starts at a line boundary.
constexpr Tiling tiling_of(std::int64_t bytes, bool whole_lines) {
#if defined(__x86_64__)
  constexpr std::int64_t all = 1 << 20;
  if (whole_lines) return {std::min<std::int64_t>(1024 / bytes, 256), all, false};  // two lines of an output row
  return {std::min<std::int64_t>(256 / bytes, 128), all, false};  // more, as adjacent tiles share lines
#else
  static_cast<void>(whole_lines);
  return {bytes == 1 ? 128 : bytes <= 4 ? 64 : 32, 4, true};
#endif
}

/// Returns the extent of a tile: longer runs where the other side of the matrix is short.
Extent tile_of(const MatrixShape& shape, std::int64_t bytes, const Tiling& tiling) {
  const std::int64_t side = std::max<std::int64_t>(16, 64 / bytes);  // a multiple of every square and line
  const auto other = [&](std::int64_t n) {
    const std::int64_t fits = tile_bytes / bytes / n;
    return fits > side ? fits - fits % side : fits;
  };
  const std::int64_t n_cols = tiling.n_cols;
  if (shape.n_cols <= n_cols) return {std::min(other(shape.n_cols), shape.n_rows), shape.n_cols};
  if (shape.n_rows <= other(n_cols)) return {shape.n_rows, std::min(other(shape.n_rows), shape.n_cols)};
  return {other(n_cols), n_cols};
}

/// The order of the tiles, in bands, so that lines shared by several tiles of a band are still in the caches.
struct TileOrder {
  std::int64_t band;
  std::int64_t n_rows;  // of tiles
  std::int64_t n_cols;

  Extent at(std::int64_t i) const {
    const std::int64_t first_row = i / (band * n_cols) * band;
    const std::int64_t height = std::min(band, n_rows - first_row);
    const std::int64_t in_band = i - first_row * n_cols;
    return {first_row + in_band % height, in_band / height};
  }
};

/// Whether all rows of an output with rows of `pitch` bytes start at line boundaries.
bool begin_on_lines(const void* out, std::int64_t pitch) {
  return (reinterpret_cast<std::uintptr_t>(out) | static_cast<std::uintptr_t>(pitch)) % 64 == 0;
}

}  // namespace

extern const TransposeRung buffered_tiles{[]<class Word>(const Stream& stream, TransposeArgs<Word> args) {
  if (args.in.extent() == 0) return;
  constexpr auto bytes = static_cast<std::int64_t>(sizeof(Word));
  const std::int64_t n_rows = args.in.n_rows, n_cols = args.in.n_cols;
  const Tiling tiling = tiling_of(bytes, begin_on_lines(args.out.data, args.out.row_stride * bytes));
  const Extent tile = tile_of(args.in.shape(), bytes, tiling);
  const TileOrder order{tiling.band, ceil_div(n_rows, tile.n_rows), ceil_div(n_cols, tile.n_cols)};
  const std::int64_t n_tiles = order.n_rows * order.n_cols;
  const std::int64_t all_bytes = 2 * n_rows * n_cols * bytes;
  const core::Stores stores = core::stores_for(all_bytes);
  const TransposeLoops::Loop loop = transpose_loops().of(sizeof(Word));
  const auto first_of = [&](const Extent& at) {
    return args.in.row(at.n_rows * tile.n_rows) + at.n_cols * tile.n_cols;
  };

  const int n_threads = static_cast<int>(std::min<std::int64_t>(core::threads_for_bytes(stream, all_bytes), n_tiles));
  core::for_parts(n_threads, n_tiles, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t i = first; i < last; ++i) {
      const Extent at = order.at(i);
      const std::int64_t row = at.n_rows * tile.n_rows;
      const std::int64_t col = at.n_cols * tile.n_cols;
      loop({.in = first_of(at),
            .in_pitch = args.in.row_stride * bytes,
            .out = args.out.row(col) + row,
            .out_pitch = args.out.row_stride * bytes,
            .n_rows = std::min(tile.n_rows, n_rows - row),
            .n_cols = std::min(tile.n_cols, n_cols - col),
            .stores = stores,
            .next_in = tiling.asks_ahead && i + 1 < n_tiles ? first_of(order.at(i + 1)) : nullptr});
    }
    core::streaming_fence();
  });
}};

}  // namespace rafter::transpose_ladder::cpu
