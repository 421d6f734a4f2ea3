// Transposes tile by tile. A block reads its tile row by row, converts its threads' pieces into units and stores them
// to shared memory in the order of the output: [col, row]. Accesses to global memory are runs of 128 bytes and more, in
// the widest pieces that all rows on both sides are aligned to. Shared memory is written once, before the kernel's only
// barrier, and read after it.
//
// Chunks of 16 bytes are swizzled: column c's chunk q is at q ^ (c's piece % 8). A warp's stores of 16-byte pieces then
// use all 32 banks, as its loads of whole chunks do; narrower pieces have at most fourfold conflicts.
//
// Bound by DRAM: every byte is read once and written once.
#pragma once

#include <algorithm>

#include "library/core/cuda/launch.cuh"
#include "library/core/cuda/policy.cuh"
#include "transpose/cuda/transpose_pieces.cuh"
#include "transpose/transpose_tunables.hpp"

namespace rafter::transpose_ladder::RAFTER_BACKEND {

/// The policy for elements of `Bytes` bytes: tiles of 16 KiB, at most 16 pieces in flight per thread. Measurements:
/// NOTES.md, "tile shape"; the order of the tiles is a Tunable (transpose_tunables.hpp).
template <int Bytes>
struct TilePolicy {
  // H200, (1000, 300000) floats, bands of 16: 592 us with 512, 606 with 256.
  static constexpr int threads = Bytes == 4 ? 512 : 256;
  static constexpr int row_bytes = Bytes <= 2 ? 128 : Bytes <= 8 ? 256 : 512;                // read in one run
  static constexpr int col_bytes = Bytes == 1 ? 128 : Bytes == 2 || Bytes == 4 ? 256 : 512;  // written in one run
  static constexpr int in_flight = 16;  // pieces a thread loads before it stores the first
};

/// The shape that follows from the policy; all numbers are powers of two.
template <int Bytes, int Width, class Policy>
struct TileShape {
  using Unit = Units<Bytes>;
  static constexpr int n_rows = Policy::col_bytes / Bytes;
  static constexpr int n_cols = Policy::row_bytes / Bytes;
  static constexpr int bytes = n_rows * n_cols * Bytes;
  static constexpr int n_warps = Policy::threads / 32;
  static constexpr int per_piece = Width / Bytes;  // elements
  // A warp's step: `lanes` adjacent pieces (128 bytes) in each of `groups` rows of units.
  static constexpr int lanes = Width >= 4 ? 128 / Width : 32;
  static constexpr int groups = 32 / lanes;
  static constexpr int n_strips = Policy::row_bytes / (lanes * Width);
  static constexpr int n_steps = n_rows / Unit::rows / groups * n_strips / n_warps;  // per warp
  static constexpr int batch = std::min(n_steps, std::max(Policy::in_flight / Unit::rows, 1));
  static constexpr int n_stores = bytes / Width / Policy::threads;  // per thread
  static constexpr bool valid() {
    return Policy::row_bytes % (lanes * Width) == 0 && Policy::col_bytes % 128 == 0 && n_steps % batch == 0 &&
           n_steps > 0 && n_stores > 0;
  }

  /// Returns the offset of byte `at` of column `col` in shared memory.
  static __device__ int place(int col, int at) {
    const int swizzle = col / per_piece % 8;
    return col * Policy::col_bytes + ((at / 16 ^ swizzle) * 16 | at % 16);
  }
};

/// The tiles of a matrix, in bands of `band` tile columns that are processed from top to bottom, so that concurrent
/// blocks access adjacent memory on both sides.
struct TileGrid {
  unsigned n_rows;  // of tiles
  unsigned n_cols;
  unsigned band;

  __device__ uint2 tile(unsigned block) const {  // x the column, y the row
    const unsigned first_col = block / (n_rows * band) * band;
    const unsigned in_band = block - first_col * n_rows;
    const unsigned width = min(band, n_cols - first_col);
    return make_uint2(first_col + in_band % width, in_band / width);
  }
};

struct TileExtent {
  int n_rows;
  int n_cols;
};

/// Copies a tile from global memory to shared memory, transposed. Collective: all threads of the block.
template <class Tile, class Policy, int Bytes, int Width>
__device__ void load_tile(const char* from, std::int64_t pitch, TileExtent extent, char* tile) {
  using Unit = Units<Bytes>;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int warp = static_cast<int>(threadIdx.x) / 32;
#pragma unroll
  for (int first = 0; first < Tile::n_steps; first += Tile::batch) {
    Piece<Width> piece[Tile::batch][Unit::rows];
#pragma unroll
    for (int k = 0; k < Tile::batch; ++k) {
      const int step = (first + k) * Tile::n_warps + warp;
      const int row = (step / Tile::n_strips * Tile::groups + lane / Tile::lanes) * Unit::rows;
      const int col = (step % Tile::n_strips * Tile::lanes + lane % Tile::lanes) * Tile::per_piece;
#pragma unroll
      for (int r = 0; r < Unit::rows; ++r) {
        piece[k][r] = {};
        if (row + r < extent.n_rows && col < extent.n_cols)
          piece[k][r] = load_piece<Width>(from + (row + r) * pitch + col * Bytes);
      }
    }
#pragma unroll
    for (int k = 0; k < Tile::batch; ++k) {
      const int step = (first + k) * Tile::n_warps + warp;
      const int row = (step / Tile::n_strips * Tile::groups + lane / Tile::lanes) * Unit::rows;
      const int col = (step % Tile::n_strips * Tile::lanes + lane % Tile::lanes) * Tile::per_piece;
#pragma unroll
      for (int c = 0; c < Tile::per_piece; ++c)
        store_piece(tile + Tile::place(col + c, row * Bytes), Unit::template of_column<Width>(piece[k], c));
    }
  }
}

/// Copies a tile from shared memory to the rows of the output. Collective: all threads of the block.
template <class Tile, class Policy, int Bytes, int Width>
__device__ void store_tile(const char* tile, TileExtent extent, char* to, std::int64_t pitch) {
  constexpr int per_col = Policy::col_bytes / Width;
#pragma unroll
  for (int k = 0; k < Tile::n_stores; ++k) {
    const int i = static_cast<int>(threadIdx.x) + k * Policy::threads;
    const int col = i / per_col;
    const int row = i % per_col * Tile::per_piece;
    if (col < extent.n_cols && row < extent.n_rows)
      store_piece(to + col * pitch + row * Bytes, load_piece<Width>(tile + Tile::place(col, row * Bytes)));
  }
}

template <class Word, int Width, class Policy>
__global__ void __launch_bounds__(Policy::threads) transpose_tiles(TransposeArgs<Word> args, TileGrid grid) {
  constexpr int bytes = static_cast<int>(sizeof(Word));
  using Tile = TileShape<bytes, Width, Policy>;
  static_assert(Tile::valid());
  __shared__ uint4 storage[Tile::bytes / 16];  // [Tile::n_cols, Tile::n_rows] elements, swizzled
  auto* tile = reinterpret_cast<char*>(storage);
  const uint2 at = grid.tile(blockIdx.x);
  const std::int64_t row = at.y * std::int64_t{Tile::n_rows};
  const std::int64_t col = at.x * std::int64_t{Tile::n_cols};
  const auto [n_rows, n_cols] = args.in.shape();
  const TileExtent extent = {static_cast<int>(min(std::int64_t{Tile::n_rows}, n_rows - row)),
                             static_cast<int>(min(std::int64_t{Tile::n_cols}, n_cols - col))};

  load_tile<Tile, Policy, bytes, Width>(reinterpret_cast<const char*>(args.in.row(row) + col),
                                        args.in.row_stride * bytes, extent, tile);
  __syncthreads();  // the whole tile is in shared memory
  store_tile<Tile, Policy, bytes, Width>(tile, extent, reinterpret_cast<char*>(args.out.row(col) + row),
                                         args.out.row_stride * bytes);
}

template <class Word, int Width, class Policy>
void launch_tiles(const Stream& stream, const TransposeArgs<Word>& args) {
  using Tile = TileShape<static_cast<int>(sizeof(Word)), Width, Policy>;
  const std::int64_t n_tile_rows = ceil_div(args.in.n_rows, Tile::n_rows);
  const std::int64_t n_tile_cols = ceil_div(args.in.n_cols, Tile::n_cols);
  const std::int64_t band = std::min(n_tile_cols, std::int64_t{core::tuned(band_tiles)});
  const TileGrid grid = {static_cast<unsigned>(n_tile_rows), static_cast<unsigned>(n_tile_cols),
                         static_cast<unsigned>(band)};
  core::launch(transpose_tiles<Word, Width, Policy>, n_tile_rows * n_tile_cols, Policy::threads, 0, stream, args, grid);
}

/// Returns the largest power of two up to 16 that the rows of both sides are aligned to.
template <class Word>
int common_alignment(const TransposeArgs<Word>& args) {
  const std::uintptr_t all = alignment_bits(args.in) | alignment_bits(args.out) | 16;
  return static_cast<int>(all & (~all + 1));
}

template <class Word, class Policy = TilePolicy<static_cast<int>(sizeof(Word))>>
void transpose_by_tiles(const Stream& stream, const TransposeArgs<Word>& args) {
  const int alignment = common_alignment(args);
  if (alignment >= 16) return launch_tiles<Word, 16, Policy>(stream, args);
  if constexpr (sizeof(Word) <= 8) {
    if (alignment == 8) return launch_tiles<Word, 8, Policy>(stream, args);
  }
  if constexpr (sizeof(Word) <= 4) {
    if (alignment == 4) return launch_tiles<Word, 4, Policy>(stream, args);
  }
  if constexpr (sizeof(Word) <= 2) {
    if (alignment == 2) return launch_tiles<Word, 2, Policy>(stream, args);
  }
  if constexpr (sizeof(Word) == 1) launch_tiles<Word, 1, Policy>(stream, args);
}

}  // namespace rafter::transpose_ladder::RAFTER_BACKEND
