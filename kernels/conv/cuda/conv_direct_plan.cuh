// The division of a convolution into tiles, blocks and threads for conv_direct.cuh's kernel.
#pragma once

#include <algorithm>

#include "conv/conv_rung.hpp"
#include "conv/conv_tunables.hpp"
#include "library/core/cuda/launch.cuh"
#include "library/core/cuda/policy.cuh"

namespace rafter::conv_ladder::RAFTER_BACKEND {

/// The division of a convolution into blocks.
struct DirectPlan {
  int tile_rows, tile_cols;           // outputs of a tile
  unsigned n_tile_rows, n_tile_cols;  // tiles of an image
  int round_rows;                     // rows of the tile that a block computes per round
  int block_maps;                     // maps that a block computes per round
  int map_rounds;                     // rounds of maps in a block
  unsigned n_map_blocks;              // blocks along the maps
  unsigned n_items;                   // tiles of all images
  int chunk, n_chunks;                // channels in shared memory at a time, and the number of such chunks
  int in_rows;                        // input rows of a channel in shared memory
  int staged_cols;                    // input columns of a row, including those that only complete a 16-byte piece
  int pitch;                          // floats from row to row
  int copy_elements;                  // elements of a copy to shared memory: 1, 2 or 4
  int row_pieces;                     // copies of a row
  bool stores_vectors;                // whether a thread's pixels of a row are stored as one vector
  int out_height, out_width;          // before pooling
  int pooled_height, pooled_width;
  dim3 threads;  // along x, along y, along the maps

  constexpr int buffer_floats() const { return chunk * in_rows * pitch; }
};

/// The compile-time tile of a thread. Two rows of 4 pixels and 4 maps: 32 sums in registers; with pooling by 4, four
/// rows. NOTES.md has the measurements (H200, "Direct, fp32").
template <int Kernel, int Rows, int Maps>
struct DirectTile {
  static constexpr int kernel = Kernel;  // its side; 0: any kernel
  static constexpr int rows = Rows;
  static constexpr int maps = Maps;
  static constexpr int pixels = 4;
  static constexpr int most_threads = 320;
  static constexpr int row_floats = (pixels + std::max(Kernel, 1) - 1 + 3) / 4 * 4;  // an input row in registers
};

/// Returns the plan for a convolution. The weights of its choices are heuristics (NOTES.md, "Thresholds and plans").
template <class Tile, class T>
DirectPlan direct_plan(const ConvArgs<T>& args) {
  const int most_shared = core::tuned(direct_shared_kib) << 10;
  const int good_shared = core::tuned(direct_row_shared_kib) << 10;
  const auto pieces = [](std::int64_t n, std::int64_t each) { return static_cast<int>(ceil_div(n, each)); };
  const ConvShape& shape = args.shape;
  DirectPlan plan{};
  plan.out_height = static_cast<int>(shape.out_height());
  plan.out_width = static_cast<int>(shape.out_width());
  plan.pooled_height = static_cast<int>(args.pool.out(plan.out_height));
  plan.pooled_width = static_cast<int>(args.pool.out(plan.out_width));

  // The height of a block: the one that leaves the fewest threads idle, the largest of equals. `use` is the share of a
  // warp's lanes that have a thread, times the share of threads that have a row, times a factor that prefers 128
  // threads or more.
  const int threads_x = std::min(pieces(plan.out_width, 4), 32);
  const int all_rows = pieces(plan.out_height, Tile::rows);
  const int groups = pieces(shape.maps, Tile::maps);
  const int most_maps = std::clamp(Tile::most_threads / (threads_x * all_rows), 1, groups);
  const int threads_maps = pieces(groups, pieces(groups, most_maps));  // equal rounds
  const int most_rows = std::clamp(Tile::most_threads / (threads_x * threads_maps), 1, all_rows);
  int threads_y = 1;
  double best = 0;
  for (int rows = 1; rows <= most_rows; ++rows) {
    const int threads = threads_x * threads_maps * rows;
    const double use = static_cast<double>(threads) / (pieces(threads, 32) * 32) * all_rows /
                       (pieces(all_rows, rows) * rows) * std::min(1., 0.9 + threads / 1280.);
    if (use >= best) best = use, threads_y = rows;
  }
  plan.threads =
      dim3(static_cast<unsigned>(threads_x), static_cast<unsigned>(threads_y), static_cast<unsigned>(threads_maps));
  plan.tile_cols = threads_x * 4;
  plan.round_rows = threads_y * Tile::rows;
  plan.block_maps = threads_maps * Tile::maps;
  plan.staged_cols = plan.tile_cols - 4 + (4 + static_cast<int>(shape.kernel_width) - 1 + 3) / 4 * 4;
  plan.pitch = plan.staged_cols;
  for (int pitch = plan.staged_cols; pitch < plan.staged_cols + 32; pitch += 4) {
    if ((Tile::rows * pitch - plan.tile_cols) % 32 == 0) {  // the next row's threads use the banks after these threads'
      plan.pitch = pitch;
      break;
    }
  }

  // With all channels in shared memory, as many rounds of maps and of rows as fit; otherwise one of each, and chunks of
  // channels.
  const std::int64_t taps = shape.kernel_height * shape.kernel_width;
  const auto rows_of = [&](int rounds) { return rounds * plan.round_rows + static_cast<int>(shape.kernel_height) - 1; };
  const auto shared = [&](std::int64_t channels, int row_rounds, int map_rounds) {
    return 4 * channels * (2 * rows_of(row_rounds) * plan.pitch + taps * plan.block_maps * map_rounds);
  };
  const int all_maps = pieces(shape.maps, plan.block_maps);
  const int all_rounds = pieces(plan.out_height, plan.round_rows);
  int row_rounds = 1;
  plan.map_rounds = 1;
  while (plan.map_rounds < all_maps && shared(shape.channels, 1, plan.map_rounds + 1) <= most_shared) ++plan.map_rounds;
  while (row_rounds < all_rounds && shared(shape.channels, row_rounds + 1, plan.map_rounds) <= good_shared)
    ++row_rounds;
  row_rounds = pieces(all_rounds, pieces(all_rounds, row_rounds));  // equal tiles
  plan.chunk = static_cast<int>(
      std::clamp<std::int64_t>(most_shared / shared(1, row_rounds, plan.map_rounds), 1, shape.channels));
  plan.n_chunks = pieces(shape.channels, plan.chunk);
  plan.tile_rows = row_rounds * plan.round_rows;
  plan.in_rows = rows_of(row_rounds);
  plan.n_tile_cols = static_cast<unsigned>(pieces(plan.out_width, plan.tile_cols));
  plan.n_tile_rows = static_cast<unsigned>(pieces(plan.out_height, plan.tile_rows));
  plan.n_map_blocks = static_cast<unsigned>(pieces(all_maps, plan.map_rounds));

  const core::Grid items(shape.batch * plan.n_tile_rows * plan.n_tile_cols);  // throws if there are too many
  plan.n_items = items.blocks.x;
  const auto aligned = [&](int elements) {
    return shape.width % elements == 0 && shape.pad_width == 0 && plan.tile_cols % elements == 0 &&
           reinterpret_cast<std::uintptr_t>(args.in) % (4 * static_cast<std::uintptr_t>(elements)) == 0;
  };
  plan.copy_elements = !std::is_same_v<T, float> ? 1 : aligned(4) ? 4 : aligned(2) ? 2 : 1;
  plan.row_pieces = pieces(plan.staged_cols, plan.copy_elements);
  const std::int64_t piece = 4 / args.pool.size;
  plan.stores_vectors =
      plan.pooled_width % piece == 0 &&
      reinterpret_cast<std::uintptr_t>(args.out) % (static_cast<std::uintptr_t>(piece) * sizeof(T)) == 0;
  return plan;
}

}  // namespace rafter::conv_ladder::RAFTER_BACKEND
