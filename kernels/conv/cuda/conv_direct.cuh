// Direct convolution in float32: out[b][m][y][x] = sum over c, p, q of in[b][c][y + p][x + q] * kernels[m][c][p][q],
// with an image's tile in shared memory and outputs in registers.
//
//   block    processes a range of tiles of all images: one tile in shared memory, the next being copied
//   thread   Rows x 4 pixels of Maps maps at a time: Maps * Rows * 4 sums in registers
//
//            x ->  4 pixels                    For a kernel row, a thread has Rows input rows in registers,
//          +---+---+---+---+                   K + 3 pixels each. For a tap (p, q) it loads Maps weights in 16-byte
//   Rows   | thread        | next thread       pieces, the same for the whole warp, and does Maps * Rows * 4
//          +---+---+---+---+                   multiply-adds. The next kernel row needs one new input row; the others
//          input: Rows + K - 1 rows            are reused.
//
// Adjacent threads are adjacent along x, so 16-byte loads from shared memory and 16-byte stores to global memory are
// contiguous. Bound by instruction issue, mostly multiply-adds: therefore a staged tile serves several rounds of rows
// and of maps, and the weights are kept for all images of a block.
//
// A step is a chunk of channels of an image. Two buffers alternate:
//
//   wait for step i's copies | sync | start those of step i + 1 | multiply-adds of step i |
//
// Races: the barrier of step i orders the copies of step i before its reads, and all reads of step i - 1 before the
// copies of step i + 1, which overwrite the same buffer. Weights that change per chunk have a second barrier before
// they are overwritten.
#pragma once

#include "conv/cuda/conv_activate.cuh"
#include "conv/cuda/conv_direct_plan.cuh"
#include "conv/cuda/conv_pool.cuh"
#include "library/core/cuda/dynamic_shared.cuh"
#include "library/core/cuda/launch.cuh"
#include "library/ptx/async_copy.cuh"

namespace rafter::conv_ladder::RAFTER_BACKEND {

/// Copies elements of a row of the tile, zeros outside of the image; asynchronously if they need no conversion.
template <int Elements, class T>
__device__ __forceinline__ void stage_piece(const T* from, bool is_inside, float* to) {
  if constexpr (std::is_same_v<T, float>) {
    ptx::copy_async_zero_fill<4 * Elements>(to, from, is_inside ? 4 * Elements : 0);
  } else {
    *to = is_inside ? core::widen(*from) : 0.f;
  }
}

/// A thread's share of every tile that its block stages: piece `piece` of rows row, row + row_step, row + 2 row_step,
/// ...
/// Collective: all threads of the block construct one.
struct TileShare {
  int row, piece, row_step;

  __device__ explicit TileShare(int row_pieces) {
    const auto thread = static_cast<int>((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x);
    row = thread / row_pieces;
    piece = thread % row_pieces;
    row_step = max(block_threads() / row_pieces, 1);
  }
  static __device__ int block_threads() { return static_cast<int>(blockDim.x * blockDim.y * blockDim.z); }
};

/// Stages channels of an image, from `channel` on: the tile whose corner is at (top, left). Collective: all threads of
/// the block.
template <int Elements, class T>
__device__ __forceinline__ void stage_tile(const ConvArgs<T>& args, const DirectPlan& plan, const TileShare& share,
                                           const T* channel, int top, int left, int n_channels, float* tile) {
  const auto height = static_cast<unsigned>(args.shape.height);
  const auto width = static_cast<unsigned>(args.shape.width);
  if (share.row >= share.row_step) return;  // the last threads do not complete a row
  for (int c = 0; c < n_channels; ++c, tile += plan.in_rows * plan.pitch, channel += args.shape.height * width) {
    for (int x = share.piece * Elements; x < plan.staged_cols; x += TileShare::block_threads() * Elements) {
      const bool has_col = static_cast<unsigned>(left + x) < width;
      const T* from = channel + (std::int64_t{top} + share.row) * width + (left + x);
      float* to = tile + share.row * plan.pitch + x;
      for (int y = share.row; y < plan.in_rows; y += share.row_step) {
        stage_piece<Elements>(from, has_col && static_cast<unsigned>(top + y) < height, to);
        from += std::int64_t{share.row_step} * width;
        to += share.row_step * plan.pitch;
      }
    }
  }
}

/// Stages the weights of channels as [group of Tile::maps maps][channel][tap][map], zeros for missing maps. A thread's
/// taps are contiguous, so their offsets are immediates of the instructions. Collective: all threads of the block.
template <class Tile, class T>
__device__ void stage_weights(const ConvArgs<T>& args, const DirectPlan& plan, int first_map, int first, int n_channels,
                              float* weights) {
  const auto n_maps = static_cast<int>(args.shape.maps);
  const int taps = static_cast<int>(args.shape.kernel_height * args.shape.kernel_width);
  const int thread = static_cast<int>((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x);
  const int n_threads = static_cast<int>(blockDim.x * blockDim.y * blockDim.z);
  const int n = n_channels * taps;
  for (int m = 0; m < plan.block_maps * plan.map_rounds; ++m) {
    const int map = first_map + m;
    const T* from = args.kernels + (map * args.shape.channels + first) * taps;
    float* to = weights + m / Tile::maps * plan.chunk * taps * Tile::maps + m % Tile::maps;
    for (int i = thread; i < n; i += n_threads) to[i * Tile::maps] = map < n_maps ? core::widen(from[i]) : 0.f;
  }
}

/// Loads N floats from shared memory, in 16-byte pieces.
template <int N>
__device__ __forceinline__ void load_floats(const float* from, float* to) {
  static_assert(N % 4 == 0);
#pragma unroll
  for (int i = 0; i < N; i += 4) {
    const float4 piece = *reinterpret_cast<const float4*>(from + i);
    to[i] = piece.x;
    to[i + 1] = piece.y;
    to[i + 2] = piece.z;
    to[i + 3] = piece.w;
  }
}

/// Adds one channel's products to a thread's sums. A kernel row needs one input row more than the previous one; with
/// two rows of outputs, the loop is unrolled by two so that two register arrays alternate. It is not unrolled further:
/// 1700 instructions would pass through the instruction cache once per tile (H200, LeNet's first layer: 903 us instead
/// of 807; NOTES.md).
template <class Tile>
__device__ __forceinline__ void add_channel(const float* tile, int pitch, const float* weights,
                                            float (&sums)[Tile::maps][Tile::rows][4]) {
  constexpr int unrolled = Tile::rows == 2 ? 2 : 1;
  float rows[Tile::rows][Tile::row_floats];
  if constexpr (unrolled == 2) load_floats<Tile::row_floats>(tile, rows[0]);
#pragma unroll 1
  for (int first = 0; first < Tile::kernel; first += unrolled) {
#pragma unroll
    for (int step = 0; step < unrolled; ++step, tile += pitch, weights += Tile::kernel * Tile::maps) {
      if (first + step >= Tile::kernel) break;
#pragma unroll
      for (int r = unrolled - 1; r < Tile::rows; ++r)
        load_floats<Tile::row_floats>(tile + r * pitch, rows[(r + step) % Tile::rows]);
#pragma unroll
      for (int q = 0; q < Tile::kernel; ++q) {
        float weight[Tile::maps];
        load_floats<Tile::maps>(weights + q * Tile::maps, weight);
#pragma unroll
        for (int m = 0; m < Tile::maps; ++m) {
#pragma unroll
          for (int r = 0; r < Tile::rows; ++r) {
#pragma unroll
            for (int x = 0; x < 4; ++x) sums[m][r][x] += rows[(r + step) % Tile::rows][x + q] * weight[m];
          }
        }
      }
    }
  }
}

/// Adds one channel's products for kernels of any size, whose taps are read one by one.
template <class Tile>
__device__ __forceinline__ void add_channel_any(const float* tile, int pitch, const float* weights, int kernel_height,
                                                int kernel_width, float (&sums)[Tile::maps][Tile::rows][4]) {
  for (int p = 0; p < kernel_height; ++p) {
    for (int q = 0; q < kernel_width; ++q) {
      float weight[Tile::maps];
      load_floats<Tile::maps>(weights + (p * kernel_width + q) * Tile::maps, weight);
#pragma unroll
      for (int r = 0; r < Tile::rows; ++r) {
#pragma unroll
        for (int x = 0; x < 4; ++x) {
          const float pixel = tile[(p + r) * pitch + q + x];
#pragma unroll
          for (int m = 0; m < Tile::maps; ++m) sums[m][r][x] += pixel * weight[m];
        }
      }
    }
  }
}

/// The maximum of the window that begins at a thread's row r and pixel i; pixels past the edges are ignored.
template <int Pool, int Rows>
__device__ __forceinline__ float largest_of(const DirectPlan& plan, const float (&sums)[Rows][4], int r, int i, int y,
                                            int x) {
  float largest = sums[r][i];
#pragma unroll
  for (int j = 1; j < Pool * Pool; ++j) {
    const bool counts = y + r + j / Pool < plan.out_height && x + i + j % Pool < plan.out_width;
    if (counts) largest = fmaxf(largest, sums[r + j / Pool][i + j % Pool]);
  }
  return largest;
}

/// Pools windows of Pool x Pool within a thread's pixels, applies bias and ReLU, and stores the result.
template <int Pool, class Tile, class T>
__device__ __forceinline__ void store_layer(const ConvArgs<T>& args, const DirectPlan& plan, std::int64_t image,
                                            int map, int y, int x, const float (&sums)[Tile::maps][Tile::rows][4]) {
  constexpr int pixels = 4 / Pool;
  constexpr int rows = Tile::rows / Pool;
  struct alignas(pixels * sizeof(T)) Piece {
    T elements[pixels];
  };
  const int n_maps = min(Tile::maps, static_cast<int>(args.shape.maps) - map);
  const int n_rows = min(rows, plan.pooled_height - y / Pool);
  const int n_cols = min(pixels, plan.pooled_width - x / Pool);
  const std::int64_t plane = plan.pooled_height * std::int64_t{plan.pooled_width};
  T* to = args.out + (image * args.shape.maps + map) * plane + y / Pool * plan.pooled_width + x / Pool;
  const bool is_whole = plan.stores_vectors && n_maps == Tile::maps && n_rows == rows && n_cols == pixels;
  const auto store = [&](auto&& finish) {
#pragma unroll
    for (int m = 0; m < Tile::maps; ++m, to += plane) {
#pragma unroll
      for (int r = 0; r < rows; ++r) {
        core::Accumulator<T> line[pixels];
#pragma unroll
        for (int i = 0; i < pixels; ++i) line[i] = finish(m, largest_of<Pool>(plan, sums[m], r * Pool, i * Pool, y, x));
        Piece piece;
        core::round_lanes<T>(line, piece.elements);
        if (is_whole) {
          *reinterpret_cast<Piece*>(to + r * plan.pooled_width) = piece;
          continue;
        }
#pragma unroll
        for (int i = 0; i < pixels; ++i) {
          if (m < n_maps && r < n_rows && i < n_cols) to[r * plan.pooled_width + i] = piece.elements[i];
        }
      }
    }
  };
  if (args.bias == nullptr && !args.relu) return store([](int, float sum) { return sum; });
  float bias[Tile::maps];
#pragma unroll
  for (int m = 0; m < Tile::maps; ++m) bias[m] = bias_of(args, map + m);
  store([&](int m, float sum) { return activated(args, sum, bias[m]); });
}

template <int Maps, int Rows>
__device__ __forceinline__ void clear(float (&sums)[Maps][Rows][4]) {
#pragma unroll
  for (int i = 0; i < Maps * Rows * 4; ++i) sums[i / (4 * Rows)][i / 4 % Rows][i % 4] = 0;
}

/// Adds the products of all staged channels.
template <class Tile, class T>
__device__ __forceinline__ void add_channels(const ConvArgs<T>& args, const DirectPlan& plan, const float* tile,
                                             const float* weights, int n, float (&sums)[Tile::maps][Tile::rows][4]) {
  const int taps = static_cast<int>(args.shape.kernel_height * args.shape.kernel_width);
  for (int c = 0; c < n; ++c, tile += plan.in_rows * plan.pitch, weights += taps * Tile::maps) {
    if constexpr (Tile::kernel > 0) {
      add_channel<Tile>(tile, plan.pitch, weights, sums);
    } else {
      add_channel_any<Tile>(tile, plan.pitch, weights, static_cast<int>(args.shape.kernel_height),
                            static_cast<int>(args.shape.kernel_width), sums);
    }
  }
}

template <class Tile, class T>
__device__ __forceinline__ void store_tile(const ConvArgs<T>& args, const DirectPlan& plan, std::int64_t image, int map,
                                           int y, int x, const float (&sums)[Tile::maps][Tile::rows][4]) {
  switch (static_cast<int>(args.pool.size)) {
    case 1: return store_layer<1, Tile>(args, plan, image, map, y, x, sums);
    case 2: return store_layer<2, Tile>(args, plan, image, map, y, x, sums);
    default:
      if constexpr (Tile::rows % 4 == 0) store_layer<4, Tile>(args, plan, image, map, y, x, sums);
  }
}

/// The position of a tile.
struct DirectItem {
  std::int64_t image;
  int y, x;  // the tile's first output

  __device__ DirectItem(const DirectPlan& plan, unsigned index) {
    x = static_cast<int>(index % plan.n_tile_cols) * plan.tile_cols;
    index /= plan.n_tile_cols;
    y = static_cast<int>(index % plan.n_tile_rows) * plan.tile_rows;
    image = index / plan.n_tile_rows;
  }
};

// A persistent grid: n_map_blocks times the number of resident blocks, each with a contiguous range of the items.
// Invariant: if there are several chunks of channels, there is one round of rows and one of maps, whose sums stay in
// registers until the last chunk.
template <class Tile, class T>
__global__ void __launch_bounds__(Tile::most_threads, Tile::rows > 2 ? 1 : 2)
    conv_direct(ConvArgs<T> args, DirectPlan plan) {
  float* buffers = core::dynamic_shared<float>();
  float* weights = buffers + 2 * plan.buffer_floats();
  const int taps = static_cast<int>(args.shape.kernel_height * args.shape.kernel_width);
  const int first_map = static_cast<int>(blockIdx.x % plan.n_map_blocks) * plan.block_maps * plan.map_rounds;

  const int x = static_cast<int>(threadIdx.x) * 4;
  const int y = static_cast<int>(threadIdx.y) * Tile::rows;
  const int map = static_cast<int>(threadIdx.z) * Tile::maps;
  const auto n_channels = static_cast<int>(args.shape.channels);
  const int round_weights = plan.chunk * taps * plan.block_maps;
  const float* thread_weights = weights + map * plan.chunk * taps;

  const TileShare share(plan.row_pieces);
  const auto stage = [&](unsigned index, int first_channel, float* to) {
    const DirectItem item(plan, index);
    const int n = min(plan.chunk, n_channels - first_channel);
    const T* channel =
        args.in + (item.image * args.shape.channels + first_channel) * args.shape.height * args.shape.width;
    const int top = item.y - static_cast<int>(args.shape.pad_height);
    const int left = item.x - static_cast<int>(args.shape.pad_width);
    switch (plan.copy_elements) {
      case 4: stage_tile<4>(args, plan, share, channel, top, left, n, to); break;
      case 2: stage_tile<2>(args, plan, share, channel, top, left, n, to); break;
      default: stage_tile<1>(args, plan, share, channel, top, left, n, to);
    }
    ptx::copy_async_commit();
  };
  const unsigned n_ranges = gridDim.x / plan.n_map_blocks;
  const auto range_begin = [&](unsigned i) {
    return static_cast<unsigned>(std::uint64_t{plan.n_items} * i / n_ranges);
  };
  const unsigned end = range_begin(blockIdx.x / plan.n_map_blocks + 1);
  unsigned index = range_begin(blockIdx.x / plan.n_map_blocks);
  int first = 0;  // channel of the step
  stage(index, 0, buffers);
  if (plan.n_chunks == 1) stage_weights<Tile>(args, plan, first_map, 0, n_channels, weights);
  float sums[Tile::maps][Tile::rows][4] = {};
  for (int step = 0; index < end; step ^= 1) {
    const float* tile = buffers + step * plan.buffer_floats();
    const int n = min(plan.chunk, n_channels - first);
    const bool is_last = first + n == n_channels;
    if (plan.n_chunks > 1) {
      __syncthreads();  // all threads have read the previous chunk's weights
      stage_weights<Tile>(args, plan, first_map, first, n, weights);
    }
    ptx::copy_async_wait<0>();
    __syncthreads();  // this step's copies are complete, and all threads have read the previous step
    const unsigned next_index = is_last ? index + 1 : index;
    const int next = is_last ? 0 : first + n;
    if (next_index < end) stage(next_index, next, buffers + (1 - step) * plan.buffer_floats());

    const DirectItem item(plan, index);
    const int n_rows = min(plan.tile_rows, plan.out_height - item.y);
    for (int row = y; row < n_rows; row += plan.round_rows) {
      for (int round = 0; round < plan.map_rounds; ++round) {
        add_channels<Tile>(args, plan, tile + row * plan.pitch + x, thread_weights + round * round_weights, n, sums);
        if (!is_last) continue;
        store_tile<Tile>(args, plan, item.image, first_map + round * plan.block_maps + map, item.y + row, item.x + x,
                         sums);
        clear(sums);
      }
    }
    index = next_index;
    first = next;
  }
}

template <class Tile, class T>
void run_direct(const Stream& stream, const ConvArgs<T>& args) {
  const DirectPlan plan = direct_plan<Tile>(args);
  const std::int64_t taps = args.shape.kernel_height * args.shape.kernel_width;
  const std::int64_t shared_bytes =
      4 * (2 * std::int64_t{plan.buffer_floats()} + plan.chunk * taps * plan.block_maps * plan.map_rounds);
  core::allow_shared(conv_direct<Tile, T>, shared_bytes);
  const auto n_threads = static_cast<int>(plan.threads.x * plan.threads.y * plan.threads.z);
  const std::int64_t resident = core::resident_blocks(conv_direct<Tile, T>, n_threads, shared_bytes);
  const std::int64_t blocks = std::clamp<std::int64_t>(resident / plan.n_map_blocks, 1, plan.n_items);
  core::launch(conv_direct<Tile, T>, blocks * plan.n_map_blocks, plan.threads, shared_bytes, stream, args, plan);
}

/// Calls f with the tile for kernels of this size; sides 1, 3, 5 and 7 are compile-time constants.
template <int Rows, int Maps, class F>
void with_direct_tile(const ConvShape& shape, F&& f) {
  const std::int64_t side = shape.kernel_height == shape.kernel_width ? shape.kernel_height : 0;
  switch (side) {
    case 1: return f(DirectTile<1, Rows, Maps>{});
    case 3: return f(DirectTile<3, Rows, Maps>{});
    case 5: return f(DirectTile<5, Rows, Maps>{});
    case 7: return f(DirectTile<7, Rows, Maps>{});
    default: return f(DirectTile<0, Rows, Maps>{});
  }
}

/// Runs the convolution in fp32 with bias, ReLU and pooling.
template <class T>
void direct_convolution(const Stream& stream, const ConvArgs<T>& args) {
  if (args.out_elements() == 0) return;
  const auto convolve = [&](const ConvArgs<T>& which) {
    const auto run = [&](auto tile) { run_direct<decltype(tile)>(stream, which); };
    which.pool.size == 4 ? with_direct_tile<4, 4>(which.shape, run) : with_direct_tile<2, 4>(which.shape, run);
  };
  can_pool(args.pool) ? convolve(args) : convolve_and_pool(stream, args, convolve);
}

}  // namespace rafter::conv_ladder::RAFTER_BACKEND
