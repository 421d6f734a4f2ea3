// Products of a block: up to 12 rows in shared memory times columns of a matrix, [rows][n_in] x [n_in][n_out].
//
//   task     4 columns of some rows over a range of the inputs: the work of a thread
//   ranges   6 for 128 columns, 3 for 256, 2 for 384: narrow and wide matrices occupy the same number of threads
//
// An input in shared memory serves 4 columns, a weight all rows of a task. The reader of a result adds the ranges' sums
// in their order, so the result does not depend on which thread of which block computed a task. Bound by the fp32 units
// for many molecules, by barriers and instruction fetch for one (NOTES.md).
//
// Races: BlockTile's rows and sums are reused by every product. run() has a barrier between filling and reading the
// rows, and one between writing and reading the sums; the caller has a barrier after its last read
// (forcefield_layers.cuh).
#pragma once

#include "forcefield/cuda/forcefield_state.cuh"

namespace rafter::forcefield_ladder::RAFTER_BACKEND {

inline constexpr int tile_rows = 12;
inline constexpr int block_threads = 384;

__device__ inline int n_threads() { return static_cast<int>(blockDim.x); }
__device__ inline int n_warps() { return n_threads() / 32; }

/// The number of ranges into which the inputs of a matrix with this number of columns are divided.
__host__ __device__ constexpr int n_ranges(int n_columns) {
  constexpr int widest = 128, most = 6;
  const int n = (n_columns + widest - 1) / widest;
  return n >= most ? 1 : most / n;
}

/// The columns of a matrix that a block computes: [first, first + n) of each part.
struct Columns {
  int n_parts;
  int width;  // of a part
  int first, n;
  int ranges;  // of the matrix

  __device__ int all() const { return n_parts * width; }
  __device__ int own() const { return n_parts * n; }
  __device__ bool are_all() const { return n == width; }
  /// The index of a column of a part in the matrix.
  __device__ int place(int part, int c) const { return part * width + first + c; }
};
__device__ inline Columns all_columns(int n) { return {1, n, 0, n, n_ranges(n)}; }

__device__ inline int n_in(const Linear& linear) { return static_cast<int>(linear.n_in); }
__device__ inline int n_out(const Linear& linear) { return static_cast<int>(linear.n_out); }

/// The pitch of rows in shared memory, in floats: threads with different rows have no bank conflicts.
__host__ __device__ constexpr int row_pitch(int n_columns) { return n_columns + 4; }

/// A product of rows with columns of a matrix [in][out]; all extents are multiples of 4.
struct Product {
  const float* rows;  // [tile_rows][row_pitch(n_in)], in shared memory
  int n_rows;
  const float* weights;  // [n_in][pitch]
  int pitch;
  int n_in, n_out;
  int n_ranges;
  float* sums;  // [n_ranges][tile_rows][n_out], in shared memory
};

/// Computes rows [first, first + n) of four columns over a range. Rows after them, up to R, must be readable. Weights
/// of `Ahead` steps are loaded at once.
template <int R, int Ahead, bool AreShared>
__device__ __forceinline__ void multiply_rows(const Product& product, int first, int n, int column, int range) {
  const int pitch = product.pitch, quads = product.n_in / 4, ranges = product.n_ranges;
  const int begin = range * quads / ranges, end = (range + 1) * quads / ranges;
  const int in_pitch = row_pitch(product.n_in);
  const float* in = product.rows + first * in_pitch;
  const float* weights = product.weights + begin * 4 * pitch + column;
  const auto weight = [&](int k) {
    if constexpr (AreShared) return load4(weights + k * pitch);
    return __ldg(reinterpret_cast<const float4*>(weights + k * pitch));
  };
  float4 sums[R] = {};
#pragma unroll Ahead
  for (int quad = begin; quad < end; ++quad, weights += 4 * pitch) {
    const float4 now[4] = {weight(0), weight(1), weight(2), weight(3)};
#pragma unroll
    for (int r = 0; r < R; ++r) {
      const float4 value = load4(in + r * in_pitch + 4 * quad);
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
  float* to = product.sums + (range * tile_rows + first) * product.n_out + column;
#pragma unroll
  for (int r = 0; r < R; ++r) {
    if (r < n) store4(to + r * product.n_out, sums[r]);
  }
}

/// Computes a product; rows are divided into `Shares`. Rows after the last, up to tile_rows, are read and must be
/// finite. Collective: all threads of the block.
template <int Shares, int Ahead, bool AreShared = false>
__device__ void multiply(const Product& product) {
  constexpr int most = tile_rows / Shares, few = 3;
  static_assert(most >= few);
  const int quads = product.n_out / 4, each = (product.n_rows + Shares - 1) / Shares;
  for (int task = static_cast<int>(threadIdx.x); task < quads * Shares * product.n_ranges; task += n_threads()) {
    const int column = task % quads * 4, first = task / quads % Shares * each, range = task / (quads * Shares);
    const int n = min(each, product.n_rows - first);
    if (n <= 0) continue;
    if (most == few || n <= few) {
      multiply_rows<few, Ahead, AreShared>(product, first, n, column, range);
    } else {
      multiply_rows<most, Ahead, AreShared>(product, first, n, column, range);
    }
  }
}

/// Two adjacent columns of a row's product.
__device__ inline float2 sum_ranges(const float* sums, int row, int column, const Columns& columns, float2 sum) {
  for (int range = 0; range < columns.ranges; ++range)
    sum = sum + load2(sums + (range * tile_rows + row) * columns.own() + column);
  return sum;
}

/// Calls f(row, part, c) for all rows and every second column. Collective: the threads of the block share the calls.
template <class F>
__device__ void for_each_pair(int n_rows, const Columns& columns, const F& f) {
  const int pairs = columns.own() / 2;
  for (int i = static_cast<int>(threadIdx.x); i < n_rows * pairs; i += n_threads()) {
    const int column = i % pairs * 2, part = columns.n_parts == 1 ? 0 : column / columns.n;
    f(i / pairs, part, column - part * columns.n);
  }
}

/// The shared memory for the products of a block that has all columns. For each product the rows are filled, it runs,
/// and its result is read; after a barrier the next one may be filled. Collective: all threads of the block call the
/// same functions.
class BlockTile {
 public:
  static constexpr std::int64_t floats(const ModelView& model) {
    const int widest = 3 * static_cast<int>(model.features);
    return tile_rows * (row_pitch(widest) + sums_width(widest) + readout_width(model));
  }
  /// Uses `memory`, which has floats() floats.
  __device__ BlockTile(float* memory, const ModelView& model)
      : rows_(memory),
        sums_(rows_ + tile_rows * row_pitch(3 * static_cast<int>(model.features))),
        readout_(sums_ + tile_rows * sums_width(3 * static_cast<int>(model.features))) {}

  /// The columns of the block's channels, in this number of parts.
  __device__ static Columns channels(const ModelView& model, int n_parts) {
    const int features = static_cast<int>(model.features);
    return {n_parts, features, 0, features, n_ranges(n_parts * features)};
  }
  /// The values of the readout's hidden layers before SiLU: [tile_rows][readout_width()].
  __device__ float* readout() const { return readout_; }
  __device__ const float* row(int row, int n_columns) const { return rows_ + row * row_pitch(n_columns); }

  /// Fills the rows: make(row, part, c) returns two numbers; rows after the last become zeros.
  template <class F>
  __device__ void fill(int n_rows, const Columns& columns, const F& make) {
    for_each_pair(tile_rows, columns, [&](int row, int part, int c) {
      store2(rows_ + row * row_pitch(columns.all()) + columns.place(part, c),
             row < n_rows ? make(row, part, c) : float2{});
    });
  }
  /// Announces that a matrix will be needed; does nothing here.
  __device__ void fetch(const float*, int, const Columns&) const {}
  __device__ void run(int n_rows, const float* matrix, int n_in, const Columns& columns) const {
    __syncthreads();  // the rows are written
    multiply<2, 1>({rows_, n_rows, matrix, columns.all(), n_in, columns.all(), columns.ranges, sums_});
    __syncthreads();  // the sums are written
  }
  __device__ void run_once(int n_rows, const float* matrix, int n_in, const Columns& columns) const {
    run(n_rows, matrix, n_in, columns);
  }
  /// Returns two columns of the last product.
  __device__ float2 sum2(int row, int part, int c, const Columns& columns, const float* bias) const {
    const int column = columns.place(part, c);
    const float2 first = bias == nullptr ? float2{} : __ldg(reinterpret_cast<const float2*>(bias + column));
    return sum_ranges(sums_, row, column, columns, first);
  }

  /// The number of columns of all ranges together, for products up to the widest.
  static constexpr int sums_width(int widest) { return widest > 768 ? widest : 768; }
  static constexpr int readout_width(const ModelView& model) {
    std::int64_t width = 0;
    for (std::int64_t i = 0; i + 1 < model.n_readouts; ++i) width += model.readout[i];
    return static_cast<int>(width);
  }

 private:
  float* rows_;
  float* sums_;
  float* readout_;
};

/// The rows of atoms [first, first + n).
struct Chunk {
  int first;
  int n;
};

/// Replaces the tile's rows by the SiLU of the sums, and stores the sums in `before`.
template <class Tile>
__device__ void activate(Tile& tile, int n_rows, const Columns& columns, const float* bias, float* before, int pitch) {
  tile.fill(n_rows, columns, [&](int row, int, int c) {
    const float2 x = tile.sum2(row, 0, c, columns, bias);
    store2(before + row * pitch + c, x);
    return float2{silu_of(x.x).value, silu_of(x.y).value};
  });
}
template <class Tile>
__device__ void activate_backward(Tile& tile, int n_rows, const Columns& columns, const float* before, int pitch) {
  tile.fill(n_rows, columns, [&](int row, int, int c) {
    const float2 x = load2(before + row * pitch + c);
    return tile.sum2(row, 0, c, columns, nullptr) * float2{silu_of(x.x).slope, silu_of(x.y).slope};
  });
}

}  // namespace rafter::forcefield_ladder::RAFTER_BACKEND
