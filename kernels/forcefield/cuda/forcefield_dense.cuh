// Products of a block: up to 12 rows in shared memory times a matrix that comes through the caches.
//
//   a task     128 columns, 4 of them a lane, over a range of the inputs
//   6 tasks    columns / 128 times ranges of inputs, so that narrow and wide matrices occupy the same warps
//   12 warps   two for each task, with half of the rows
//
// An input in shared memory serves 4 columns, a weight from the caches 6 rows. The ranges' sums are added in their
// order by whoever needs the result.
#pragma once

#include "forcefield/cuda/forcefield_state.cuh"

namespace rafter::forcefield_ladder::RAFTER_BACKEND {

inline constexpr int tile_rows = 12;
inline constexpr int n_tasks = 6;
inline constexpr int block_threads = 32 * 2 * n_tasks;  // of a block that has others beside it
inline constexpr int lone_threads = 32 * 4 * n_tasks;   // of one that has a multiprocessor to itself

__device__ inline int n_threads() { return static_cast<int>(blockDim.x); }
__device__ inline int n_warps() { return n_threads() / 32; }
inline constexpr int task_columns = 128;

/// Ranges that the inputs are cut into.
__host__ __device__ constexpr int n_ranges(int n_out) {
  const int n_columns = (n_out + task_columns - 1) / task_columns;
  return n_columns >= n_tasks ? 1 : n_tasks / n_columns;
}

/// Rows times a matrix [in][out]; both extents are multiples of 4.
struct Product {
  const float* rows;  // in shared memory
  int pitch;
  int n_rows;
  const float* matrix;
  int n_in, n_out;
  float* sums;  // [range][tile_rows][n_out], in shared memory
};

/// Rows [first, first + n) of a product, of one range and 128 columns. Rows behind them, up to R, are there. Weights of
/// `Ahead` steps are under way at once.
template <int R, int Ahead>
__device__ __forceinline__ void multiply_rows(const Product& product, int first, int n, int column, int range) {
  const int n_out = product.n_out, quads = product.n_in / 4, ranges = n_ranges(n_out);
  const int begin = range * quads / ranges, end = (range + 1) * quads / ranges;
  const bool is_there = column < n_out;
  const float* in = product.rows + first * product.pitch;
  const float* weights = product.matrix + std::int64_t{begin} * 4 * n_out + (is_there ? column : 0);
  const auto weight = [&](int k) { return __ldg(reinterpret_cast<const float4*>(weights + k * n_out)); };
  float4 sums[R] = {};
#pragma unroll Ahead
  for (int quad = begin; quad < end; ++quad, weights += 4 * n_out) {
    const float4 now[4] = {weight(0), weight(1), weight(2), weight(3)};
#pragma unroll
    for (int r = 0; r < R; ++r) {
      const float4 value = load4(in + r * product.pitch + 4 * quad);
      const float by[4] = {value.x, value.y, value.z, value.w};
#pragma unroll
      for (int k = 0; k < 4; ++k) {
        sums[r].x = fmaf(by[k], now[k].x, sums[r].x);
        sums[r].y = fmaf(by[k], now[k].y, sums[r].y);
        sums[r].z = fmaf(by[k], now[k].z, sums[r].z);
        sums[r].w = fmaf(by[k], now[k].w, sums[r].w);
      }
    }
  }
  if (!is_there) return;
  float* to = product.sums + (range * tile_rows + first) * n_out + column;
#pragma unroll
  for (int r = 0; r < R; ++r) {
    if (r < n) store4(to + r * n_out, sums[r]);
  }
}

/// By all warps of the block, each with one of `Shares` shares of the rows. Rows behind the last, up to tile_rows, are
/// read and must be numbers.
template <int Shares>
__device__ void multiply(const Product& product) {
  const int warp = static_cast<int>(threadIdx.x) / 32, lane = static_cast<int>(threadIdx.x) % 32;
  constexpr int most = tile_rows / Shares, ahead = Shares / 2;
  const int each = (product.n_rows + Shares - 1) / Shares;
  const int first = warp / n_tasks * each;
  const int n = min(each, product.n_rows - first);
  if (n <= 0) return;
  const int n_columns = (product.n_out + task_columns - 1) / task_columns;
  for (int task = warp % n_tasks; task < n_columns * n_ranges(product.n_out); task += n_tasks) {
    const int column = task % n_columns * task_columns + 4 * lane, range = task / n_columns;
    if (n <= 3) {
      multiply_rows<3, ahead>(product, first, n, column, range);
    } else {
      multiply_rows<most, ahead>(product, first, n, column, range);
    }
  }
}

/// A block's shared memory for products.
struct Tile {
  float* rows;  // [tile_rows][3 features]
  float* sums;  // [range][tile_rows][columns]

  /// In `memory`, which has floats() of them.
  __device__ Tile(float* memory, int features) : rows(memory), sums(memory + tile_rows * 3 * features) {}

  static constexpr int floats(int features) { return tile_rows * 3 * features + tile_rows * sums_width(3 * features); }
  /// Columns of all ranges together, of the widest product.
  static constexpr int sums_width(int widest) {
    return widest > n_tasks * task_columns ? widest : n_tasks * task_columns;
  }
  /// Two neighbouring columns of a row's product.
  __device__ float2 sum2(int row, int column, int n_out, const float* bias) const {
    float2 sum = bias == nullptr ? float2{} : __ldg(reinterpret_cast<const float2*>(bias + column));
    for (int range = 0; range < n_ranges(n_out); ++range)
      sum = sum + load2(sums + (range * tile_rows + row) * n_out + column);
    return sum;
  }
};

/// f(row, column) for all rows and every second column, over the block's threads.
template <class F>
__device__ void for_each_pair(int n_rows, int n_columns, const F& f) {
  const int pairs = n_columns / 2;
  for (int i = static_cast<int>(threadIdx.x); i < n_rows * pairs; i += n_threads()) f(i / pairs, i % pairs * 2);
}

/// Fills the tile's rows, and those behind the last with zeros: make(row, column) gives two numbers.
template <class F>
__device__ void fill_rows(const Tile& tile, int n_rows, int n_columns, const F& make) {
  for_each_pair(tile_rows, n_columns, [&](int row, int column) {
    store2(tile.rows + row * n_columns + column, row < n_rows ? make(row, column) : float2{});
  });
}

}  // namespace rafter::forcefield_ladder::RAFTER_BACKEND
