// by_shape: out[r] = sum of row r of in [n_rows, n_cols]. One of four kernels by shape: up to a million rows of a few
// elements one thread each; other rows up to 4 KiB as tiles of many rows through shared memory; longer rows, if they
// are many, and few short ones one warp each; few long rows in parts, many blocks per row.
// Bound by DRAM in all four: every byte is read once; but for the first, in 16-byte pieces, with several in flight per
// thread.
#include <algorithm>

#include "library/core/cuda/launch.cuh"
#include "library/core/cuda/policy.cuh"
#include "library/core/cuda/reduce.cuh"
#include "library/core/stream/scratch.hpp"
#include "rows/rows_rung.hpp"
#include "rows/rows_tunables.hpp"

namespace rafter::rows_ladder::RAFTER_BACKEND {

// H200, kernels alone in a loop (NOTES.md). Numbers that are launch parameters are in rows_tunables.hpp.
struct RowsPolicy {
  // Without a tile's barrier and its trip through shared memory: 10^5 rows of 1, 3 and 10 floats take 3.9, 4.1 and 4.9
  // us, in tiles 5.3, 4.8 and 5.5. From 10^7 rows of one on, tiles are faster.
  static constexpr int thread_cols = 10;
  static constexpr std::int64_t thread_rows = 1 << 20;
  static constexpr int tile_threads = 256;
  static constexpr int tile_vectors = 4;          // in flight per thread: a tile of 16 KiB; 32 KiB loses 2 %
  static constexpr int tile_row_bytes = 4 << 10;  // up to this length a tile holds four rows or more
  static constexpr int warp_vectors = 8;
  static constexpr int warp_row_bytes = 64 << 10;  // up to this length a row may be summed by one warp
  static constexpr int part_threads = 512;         // 1 % faster than 256 on (10, 10^7)
  static constexpr int part_vectors = 4;
  static constexpr int part_bytes = 32 << 10;  // smaller parts do not pay for a block's start and end
  static constexpr bool valid() { return tile_row_bytes * 4 <= tile_threads * tile_vectors * 16; }
};
static_assert(RowsPolicy::valid());

template <class T>
struct RowsView {
  MatrixView<const T> in;
  T* out;  // [in.n_rows]
};

// ---- Rows of a few elements: one thread per row ----

template <class T>
__global__ void __launch_bounds__(RowsPolicy::tile_threads) rows_thread(RowsView<T> args) {
  const std::int64_t row = blockIdx.x * std::int64_t{RowsPolicy::tile_threads} + threadIdx.x;
  if (row >= args.in.n_rows) return;
  const T* from = args.in.row(row);
  const auto n_cols = static_cast<int>(args.in.n_cols);
  core::Accumulator<T> total = 0;
#pragma unroll
  for (int col = 0; col < RowsPolicy::thread_cols; ++col) {
    if (col < n_cols) total += core::widen(from[col]);  // all loads of a row are in flight together
  }
  args.out[row] = core::round_to<T>(total);
}

// ---- Short rows: tiles of whole rows ----

template <class T>
struct TileStorage {
  static constexpr int elements = RowsPolicy::tile_threads * RowsPolicy::tile_vectors * core::Vector<T>::size;
  core::Vector<T> vectors[RowsPolicy::tile_threads * RowsPolicy::tile_vectors + 1];  // one more for a misaligned start
};

/// Copies `n` elements to `tile`, which has the same offset from a 16-byte boundary as `from`. Collective: all threads
/// of the block.
template <class T>
__device__ void load_tile(const T* from, int n, T* tile) {
  constexpr int threads = RowsPolicy::tile_threads;
  constexpr int vectors = RowsPolicy::tile_vectors;
  const int t = static_cast<int>(threadIdx.x);
  const core::VectorSplit split = core::split_in_vectors(from, n);
  const auto* source = reinterpret_cast<const core::Vector<T>*>(from + split.head);
  auto* target = reinterpret_cast<core::Vector<T>*>(tile + split.head);
  core::Vector<T> v[vectors];
#pragma unroll
  for (int k = 0; k < vectors; ++k) {
    if (t + k * threads < split.body) v[k] = source[t + k * threads];
  }
  if (t < split.head) tile[t] = from[t];
  if (t < split.tail) tile[n - 1 - t] = from[n - 1 - t];
#pragma unroll
  for (int k = 0; k < vectors; ++k) {
    if (t + k * threads < split.body) target[t + k * threads] = v[k];
  }
}

/// Copies rows of `n_cols` units, `row_stride` units apart, to `tile` without gaps. Collective: all threads of the
/// block.
template <class Unit>
__device__ void load_rows(const Unit* from, std::int64_t row_stride, int n_rows, int n_cols, Unit* tile) {
  constexpr int threads = RowsPolicy::tile_threads;
  const int rows_ahead = threads / n_cols;
  const int cols_ahead = threads % n_cols;
  int row = static_cast<int>(threadIdx.x) / n_cols;
  int col = static_cast<int>(threadIdx.x) % n_cols;
#pragma unroll 4
  for (int i = static_cast<int>(threadIdx.x); i < n_rows * n_cols; i += threads) {
    tile[i] = from[row * row_stride + col];
    const bool wraps = col + cols_ahead >= n_cols;
    row += rows_ahead + (wraps ? 1 : 0);
    col += cols_ahead - (wraps ? n_cols : 0);
  }
}

/// The gaps between the rows of a matrix.
enum class Gaps {
  none,
  whole_vectors,  // the rows and the first address are multiples of a vector, too
  any,
};

/// Copies rows of the matrix to shared memory and returns the tile, [n_rows, n_cols]. Collective: all threads of the
/// block.
template <Gaps gaps, class T>
__device__ T* load_tile_rows(const MatrixView<const T>& in, std::int64_t first_row, int n_rows,
                             TileStorage<T>& storage) {
  constexpr int width = core::Vector<T>::size;
  const auto n_cols = static_cast<int>(in.n_cols);
  T* tile = storage.vectors[0].lane;
  if constexpr (gaps == Gaps::none) {
    const T* from = in.data + first_row * n_cols;
    tile += reinterpret_cast<std::uintptr_t>(from) / sizeof(T) % width;
    load_tile(from, n_rows * n_cols, tile);
  } else if constexpr (gaps == Gaps::whole_vectors) {
    const auto* from = reinterpret_cast<const core::Vector<T>*>(in.row(first_row));
    load_rows(from, in.row_stride / width, n_rows, n_cols / width, storage.vectors);
  } else {
    load_rows(in.row(first_row), in.row_stride, n_rows, n_cols, tile);
  }
  return tile;
}

/// Two 16-bit elements, which are one word of shared memory.
template <class T>
struct alignas(4) Pair {
  T first, second;
};

template <class T>
__device__ core::Accumulator<T> unit_sum(T element) {
  return core::widen(element);
}
template <class T>
__device__ float unit_sum(Pair<T> pair) {
  return core::widen(pair.first) + core::widen(pair.second);
}

/// Returns the sum of one lane's units of a row of `n` units. The lane starts at step `first_step` and wraps around the
/// row's end.
template <int Lanes, class Unit>
__device__ auto lane_sum(const Unit* row, int n, int lane, int first_step) {
  const int n_steps = (n + Lanes - 1) / Lanes;
  decltype(unit_sum(*row)) total = 0;
  for (int i = 0; i < n_steps; ++i) {
    const int turned = first_step + i;
    const int unit = (turned < n_steps ? turned : turned - n_steps) * Lanes + lane;
    if (Lanes == 1 || unit < n) total += unit_sum(row[unit]);
  }
  return total;
}

/// Returns the sum of one lane's elements of a row. 16-bit elements are read in pairs, except for an unpaired one at
/// either end.
template <int Lanes, class T>
__device__ core::Accumulator<T> lane_sum_of_row(const T* row, int n_cols, int lane, int first_step) {
  if constexpr (sizeof(T) > 2) {
    return lane_sum<Lanes>(row, n_cols, lane, first_step);
  } else {
    const int head = static_cast<int>(reinterpret_cast<std::uintptr_t>(row) / sizeof(T) % 2);
    const int n_pairs = (n_cols - head) / 2;
    float total = lane_sum<Lanes>(reinterpret_cast<const Pair<T>*>(row + head), n_pairs, lane, first_step);
    if (head == 1 && lane == 0) total += core::widen(row[0]);
    if (head + 2 * n_pairs < n_cols && lane == Lanes - 1) total += core::widen(row[n_cols - 1]);
    return total;
  }
}

/// Sums the rows of a tile with `Lanes` lanes per row. Row r of a warp starts at word r * n_units, so rows that are 32
/// / gcd(n_units, 32) apart start in the same bank; such rows start at different columns. Collective: all threads of
/// the block.
template <int Lanes, class T>
__device__ void sum_tile_rows(const T* tile, int n_rows, int n_cols, T* out) {
  constexpr int rows_per_pass = RowsPolicy::tile_threads / Lanes;
  constexpr int rows_per_warp = core::warp_size / Lanes;
  const int t = static_cast<int>(threadIdx.x);
  const int lane = t % Lanes;
  const int n_units = sizeof(T) == 2 ? max(n_cols / 2, 1) : n_cols;
  const int common = min(n_units & -n_units, core::warp_size);           // the gcd
  const bool collide = (rows_per_warp - 1) * common >= core::warp_size;  // uniform over the block
  const int first_step = t / Lanes % rows_per_warp * common / core::warp_size % ((n_units + Lanes - 1) / Lanes);
  for (int first_row = 0; first_row < n_rows; first_row += rows_per_pass) {  // uniform over the block
    const int row = first_row + t / Lanes;
    const T* from = tile + row * n_cols;
    core::Accumulator<T> total = 0;
    if (row < n_rows) {
      total = collide ? lane_sum_of_row<Lanes>(from, n_cols, lane, first_step)
                      : lane_sum_of_row<Lanes>(from, n_cols, lane, 0);
    }
    total = core::warp_sum<Lanes>(total);
    if (lane == 0 && row < n_rows) out[row] = core::round_to<T>(total);
  }
}

template <Gaps gaps, class T>
__global__ void __launch_bounds__(RowsPolicy::tile_threads)
    rows_tile(RowsView<T> args, int rows_per_tile, int lanes_per_row) {
  __shared__ TileStorage<T> storage;  // [rows_per_tile, n_cols], at the offset of the matrix from a 16-byte boundary
  const auto n_cols = static_cast<int>(args.in.n_cols);
  const std::int64_t first_row = blockIdx.x * std::int64_t{rows_per_tile};
  const int n_rows = static_cast<int>(min(std::int64_t{rows_per_tile}, args.in.n_rows - first_row));
  T* out = args.out + first_row;

  const T* tile = load_tile_rows<gaps>(args.in, first_row, n_rows, storage);
  __syncthreads();  // the whole tile is in shared memory
  switch (lanes_per_row) {
    case 1: return sum_tile_rows<1>(tile, n_rows, n_cols, out);
    case 2: return sum_tile_rows<2>(tile, n_rows, n_cols, out);
    case 4: return sum_tile_rows<4>(tile, n_rows, n_cols, out);
    case 8: return sum_tile_rows<8>(tile, n_rows, n_cols, out);
    case 16: return sum_tile_rows<16>(tile, n_rows, n_cols, out);
    default: return sum_tile_rows<32>(tile, n_rows, n_cols, out);
  }
}

template <class T>
Gaps gaps_of(const MatrixView<const T>& in) {
  constexpr int width = core::Vector<T>::size;
  if (in.is_contiguous()) return Gaps::none;
  const bool aligned = reinterpret_cast<std::uintptr_t>(in.data) % sizeof(core::Vector<T>) == 0;
  return aligned && in.row_stride % width == 0 && in.n_cols % width == 0 ? Gaps::whole_vectors : Gaps::any;
}

template <class T>
auto rows_tile_for(Gaps gaps) {
  switch (gaps) {
    case Gaps::none: return rows_tile<Gaps::none, T>;
    case Gaps::whole_vectors: return rows_tile<Gaps::whole_vectors, T>;
    default: return rows_tile<Gaps::any, T>;
  }
}

template <class T>
void short_rows(const Stream& stream, const RowsView<T>& args) {
  constexpr int width = core::Vector<T>::size;
  int rows_per_tile = TileStorage<T>::elements / static_cast<int>(args.in.n_cols);
  if (rows_per_tile >= width) rows_per_tile -= rows_per_tile % width;  // tiles of an aligned matrix start aligned
  int lanes_per_row = 1;
  while (lanes_per_row < core::warp_size && lanes_per_row * rows_per_tile < RowsPolicy::tile_threads)
    lanes_per_row *= 2;
  core::launch(rows_tile_for<T>(gaps_of(args.in)), ceil_div(args.in.n_rows, rows_per_tile), RowsPolicy::tile_threads, 0,
               stream, args, rows_per_tile, lanes_per_row);
}

// ---- Many rows of medium length: one warp per row ----

inline constexpr int rows_per_warp_block = 8;

template <class T>
__global__ void __launch_bounds__(rows_per_warp_block* core::warp_size) rows_warp(RowsView<T> args) {
  const int lane = static_cast<int>(threadIdx.x) % core::warp_size;
  const std::int64_t row = blockIdx.x * std::int64_t{rows_per_warp_block} + threadIdx.x / core::warp_size;
  if (row >= args.in.n_rows) return;  // uniform over the warp
  const auto mine = core::thread_sum<core::warp_size, RowsPolicy::warp_vectors>(args.in.row(row), args.in.n_cols, lane);
  const auto total = core::warp_sum(mine);
  if (lane == 0) args.out[row] = core::round_to<T>(total);
}

// ---- Few long rows: each in parts; the block that finishes last adds them up ----

struct Parts {
  int n;                // parts per row
  std::int64_t n_cols;  // columns per part, a multiple of the vector width
  double* partial;      // [n_rows, n], unused for one part
  unsigned* tickets;    // [n_rows], zero before and after, unused for one part
};

template <class T>
__global__ void __launch_bounds__(RowsPolicy::part_threads) rows_parts(RowsView<T> args, Parts parts) {
  constexpr int threads = RowsPolicy::part_threads;
  __shared__ core::BlockSumStorage<double, threads> storage;
  __shared__ bool is_last;
  const int t = static_cast<int>(threadIdx.x);
  const std::int64_t row = blockIdx.x / parts.n;
  const int part = static_cast<int>(blockIdx.x % parts.n);
  const std::int64_t first_col = part * parts.n_cols;
  const std::int64_t n = min(parts.n_cols, args.in.n_cols - first_col);

  const T* from = args.in.row(row) + first_col;
  const auto mine = core::thread_sum<threads, RowsPolicy::part_vectors>(from, n, t);
  double total = core::block_sum(static_cast<double>(mine), storage);
  if (parts.n > 1) {
    double* partial = parts.partial + row * parts.n;
    if (t == 0) {
      partial[part] = total;
      is_last = core::take_last_ticket(&parts.tickets[row], static_cast<unsigned>(parts.n));
    }
    __syncthreads();  // orders is_last, and frees storage: block_sum's reads are complete
    if (!is_last) return;
    total = 0;
    for (int i = t; i < parts.n; i += threads) total += __ldcg(&partial[i]);
    total = core::block_sum(total, storage);
  }
  if (t == 0) args.out[row] = core::round_to<T>(total);
}

template <class T>
void long_rows(const Stream& stream, const RowsView<T>& args) {
  constexpr int width = core::Vector<T>::size;
  const auto [n_rows, n_cols] = args.in.shape();
  const std::int64_t n_vectors = std::max(ceil_div(n_cols, width), std::int64_t{1});
  const std::int64_t wanted = std::int64_t{stream.n_multiprocessors()} * core::tuned(parts_per_sm) / n_rows;
  const std::int64_t most = n_rows <= core::n_tickets ? n_vectors * 16 / RowsPolicy::part_bytes : 1;
  const std::int64_t per_part = ceil_div(n_vectors, std::max(std::min(wanted, most), std::int64_t{1}));
  const std::int64_t n_parts = ceil_div(n_vectors, per_part);
  const Parts parts = {
      .n = static_cast<int>(n_parts),
      .n_cols = per_part * width,
      .partial = reinterpret_cast<double*>(core::scratch(stream, n_parts > 1 ? n_rows * n_parts * 8 : 0)),
      .tickets = core::tickets(stream),
  };
  core::launch(rows_parts<T>, n_rows * n_parts, RowsPolicy::part_threads, 0, stream, args, parts);
}

extern const RowsRung by_shape{[]<class T>(const Stream& stream, RowsArgs<T> args) {
  const RowsView<T> view = {args.in, args.out.data()};
  const auto row_bytes = args.in.n_cols * static_cast<std::int64_t>(sizeof(T));
  const bool plenty = args.in.n_rows >= std::int64_t{stream.n_multiprocessors()} * core::tuned(warps_per_sm);
  if (args.in.n_rows == 0) return;
  if (args.in.n_cols <= RowsPolicy::thread_cols && args.in.n_rows <= RowsPolicy::thread_rows) {
    return core::launch(rows_thread<T>, ceil_div(args.in.n_rows, RowsPolicy::tile_threads), RowsPolicy::tile_threads, 0,
                        stream, view);
  }
  // Few short rows: as tiles they would occupy few multiprocessors.
  const bool is_one_wave = args.in.n_rows <= std::int64_t{stream.n_multiprocessors()} * rows_per_warp_block;
  const bool is_short = row_bytes > 0 && row_bytes <= RowsPolicy::tile_row_bytes;
  if (is_short && !is_one_wave) return short_rows(stream, view);
  if (!is_short && (!plenty || row_bytes > RowsPolicy::warp_row_bytes)) return long_rows(stream, view);
  core::launch(rows_warp<T>, ceil_div(args.in.n_rows, rows_per_warp_block), rows_per_warp_block * core::warp_size, 0,
               stream, view);
}};

}  // namespace rafter::rows_ladder::RAFTER_BACKEND
