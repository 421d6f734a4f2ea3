// Direct convolution in float32: an image's tile in shared memory, outputs in registers.
//
//   a block    image after image, or tiles of them: its inputs in shared memory, the next ones on their way
//   a thread   Rows x 4 pixels of Maps maps at a time: Maps * Rows * 4 sums in registers
//
//            x ->  4 pixels                    For a kernel row p, a thread has its Rows + p'th input rows in
//            registers,
//          +---+---+---+---+                   K + 3 pixels each. For a tap (p, q) it loads Maps weights in 16-byte
//   Rows   | thread        | next thread       pieces, the same for the whole warp, and does Maps * Rows * 4
//          +---+---+---+---+                   multiply-adds. The next kernel row brings one new input row; the others
//          input: Rows + K - 1 rows            move up.
//
// Threads run along x first, so that 16-byte loads from shared memory and 16-byte stores to global memory are side by
// side. Bound by the issue of instructions, most of which are multiply-adds: so a staged tile serves several rounds of
// rows and of maps, and the weights stay for all images of a block.
//
// A step is a chunk of channels of an image. Two buffers take turns:
//
//   wait for step i's copies | sync | start those of step i + 1 | multiply-adds of step i |
//
// The barrier says both that step i is there and that nobody reads step i - 1, whose buffer step i + 1 gets.
#pragma once

#include <algorithm>

#include "conv/conv_rung.hpp"
#include "core/convert.cuh"
#include "core/dynamic_shared.cuh"
#include "core/launch.cuh"
#include "ptx/async_copy.cuh"

namespace rafter::conv_ladder::RAFTER_BACKEND {

/// How a convolution is cut into blocks.
struct DirectPlan {
  int tile_rows, tile_cols;           // outputs of a block
  unsigned n_tile_rows, n_tile_cols;  // tiles of an image
  int round_rows;                     // rows of the tile at a time
  int block_maps;                     // maps at a time
  int map_rounds;                     // times that, in one block
  unsigned n_map_blocks;              // blocks along the maps
  unsigned n_images, block_images;    // of the batch, and of a block
  int chunk, n_chunks;                // channels in shared memory at a time, and how often
  int in_rows;                        // of a channel there
  int staged_cols;                    // of a row, those read only as part of a 16-byte piece among them
  int pitch;                          // floats from row to row
  int copy_bytes;                     // of an asynchronous copy: 4, 8 or 16
  bool stores_vectors;                // of 4 elements
  int out_height, out_width;          // before pooling
  int pooled_height, pooled_width;
  dim3 threads;  // along x, along y, along the maps

  constexpr int buffer_floats() const { return chunk * in_rows * pitch; }
};

template <int Kernel, int Rows, int Maps>
struct DirectTile {
  static constexpr int kernel = Kernel;  // its side; 0: any
  static constexpr int rows = Rows;
  static constexpr int maps = Maps;
  static constexpr int pixels = 4;
  static constexpr int most_threads = 320;
  static constexpr int row_floats = (pixels + std::max(Kernel, 1) - 1 + 3) / 4 * 4;  // an input row in registers
};

/// One piece of a row of the tile, zeros where there is no image. cp.async where elements stay as they are.
template <class T>
__device__ __forceinline__ void stage_piece(const T* from, bool is_there, int elements, float* to) {
  if constexpr (std::is_same_v<T, float>) {
    if (elements == 4) {
      ptx::copy_async_zero_fill<16>(to, from, is_there ? 16 : 0);
    } else if (elements == 2) {
      ptx::copy_async_zero_fill<8>(to, from, is_there ? 8 : 0);
    } else {
      ptx::copy_async_zero_fill<4>(to, from, is_there ? 4 : 0);
    }
  } else {
    *to = is_there ? core::widen(*from) : 0.f;
  }
}

/// Channels `first` and on of the image's tile. Threads of a row take its pieces; rows of threads take turns.
template <class T>
__device__ void stage_tile(const ConvArgs<T>& args, const DirectPlan& plan, std::int64_t image, int y0, int x0,
                           int first, int n_channels, float* tile) {
  const auto height = static_cast<int>(args.shape.height);
  const auto width = static_cast<int>(args.shape.width);
  const int left = x0 - static_cast<int>(args.shape.pad_width);
  const int top = y0 - static_cast<int>(args.shape.pad_height);
  const int first_row = static_cast<int>(threadIdx.z * blockDim.y + threadIdx.y);
  const int n_rows = static_cast<int>(blockDim.z * blockDim.y);
  const int step = plan.copy_bytes / 4;
  const int first_col = static_cast<int>(threadIdx.x) * step;
  const int n_cols = static_cast<int>(blockDim.x) * step;
  const T* channel = args.in + (image * args.shape.channels + first) * height * width;
  for (int c = 0; c < n_channels; ++c, channel += std::int64_t{height} * width, tile += plan.in_rows * plan.pitch) {
    for (int row = first_row; row < plan.in_rows; row += n_rows) {
      const int y = top + row;
      const bool has_row = y >= 0 && y < height;
      const T* from = channel + (has_row ? std::int64_t{y} * width : 0);
      for (int col = first_col; col < plan.staged_cols; col += n_cols) {
        const int x = left + col;
        const bool is_there = has_row && x >= 0 && x < width;
        stage_piece(from + (is_there ? x : 0), is_there, step, tile + row * plan.pitch + col);
      }
    }
  }
}

/// The weights of some channels as [group of Tile::maps maps][channel][tap][map], zeros for maps that are none. A
/// thread's taps lie side by side, so that their offsets are part of the instructions.
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

/// N floats from shared memory, in 16-byte pieces.
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

/// Adds one channel's products to a thread's sums. The loop over kernel rows stays a loop: unrolled, 1700 instructions
/// pass the instruction cache once for each tile (H200: 903 us instead of 807 for LeNet's first layer).
template <class Tile>
__device__ __forceinline__ void add_channel(const float* tile, int pitch, const float* weights,
                                            float (&sums)[Tile::maps][Tile::rows][4]) {
#pragma unroll 1
  for (int p = 0; p < Tile::kernel; ++p, tile += pitch, weights += Tile::kernel * Tile::maps) {
    float rows[Tile::rows][Tile::row_floats];
#pragma unroll
    for (int r = 0; r < Tile::rows; ++r) load_floats<Tile::row_floats>(tile + r * pitch, rows[r]);
#pragma unroll
    for (int q = 0; q < Tile::kernel; ++q) {
      float weight[Tile::maps];
      load_floats<Tile::maps>(weights + q * Tile::maps, weight);
#pragma unroll
      for (int m = 0; m < Tile::maps; ++m) {
#pragma unroll
        for (int r = 0; r < Tile::rows; ++r) {
#pragma unroll
          for (int x = 0; x < 4; ++x) sums[m][r][x] += rows[r][x + q] * weight[m];
        }
      }
    }
  }
}

/// The same for kernels of any size, whose taps are read one by one.
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

/// What follows the sums, for windows of Pool x Pool that lie in a thread's pixels; then the stores.
template <int Pool, class Tile, class T>
__device__ __forceinline__ void store_layer(const ConvArgs<T>& args, const DirectPlan& plan, std::int64_t image,
                                            int map, int y, int x, const float (&sums)[Tile::maps][Tile::rows][4]) {
  constexpr int pixels = 4 / Pool;
  struct alignas(pixels * sizeof(T)) Piece {
    T elements[pixels];
  };
  const int row = y / Pool;
  const int col = x / Pool;
  const int n_maps = min(Tile::maps, static_cast<int>(args.shape.maps) - map);
  const bool is_whole = Pool == 1 && plan.stores_vectors && col + pixels <= plan.pooled_width;
  T* to = args.out + ((image * args.shape.maps + map) * plan.pooled_height + row) * plan.pooled_width + col;
#pragma unroll
  for (int m = 0; m < Tile::maps; ++m, to += plan.pooled_height * plan.pooled_width) {
    if (m >= n_maps) return;
#pragma unroll
    for (int r = 0; r < Tile::rows / Pool; ++r) {
      if (row + r >= plan.pooled_height) break;
      core::Accumulator<T> line[pixels];
#pragma unroll
      for (int i = 0; i < pixels; ++i) {
        float largest = sums[m][r * Pool][i * Pool];
#pragma unroll
        for (int j = 1; j < Pool * Pool; ++j) {
          const int dy = j / Pool;
          const int dx = j % Pool;
          const bool counts = y + r * Pool + dy < plan.out_height && x + i * Pool + dx < plan.out_width;
          if (counts) largest = fmaxf(largest, sums[m][r * Pool + dy][i * Pool + dx]);
        }
        line[i] = largest;
      }
      Piece rounded;
      core::round_lanes<T>(line, rounded.elements);
      T* at = to + r * plan.pooled_width;
      if (is_whole) {
        *reinterpret_cast<Piece*>(at) = rounded;
      } else {
#pragma unroll
        for (int i = 0; i < pixels; ++i) {
          if (col + i < plan.pooled_width) at[i] = rounded.elements[i];
        }
      }
    }
  }
}

template <int Maps, int Rows>
__device__ __forceinline__ void clear(float (&sums)[Maps][Rows][4]) {
#pragma unroll
  for (int i = 0; i < Maps * Rows * 4; ++i) sums[i / (4 * Rows)][i / 4 % Rows][i % 4] = 0;
}

/// Adds the staged channels' products.
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

/// Bias and ReLU. They keep the order of numbers, so pooling may come after them.
template <class Tile, class T>
__device__ __forceinline__ void finish_sums(const ConvArgs<T>& args, int map,
                                            float (&sums)[Tile::maps][Tile::rows][4]) {
  const auto n_maps = static_cast<int>(args.shape.maps);
#pragma unroll
  for (int i = 0; i < Tile::maps * Tile::rows * 4; ++i) {
    const int m = i / (4 * Tile::rows);
    float& sum = sums[m][i / 4 % Tile::rows][i % 4];
    if (args.bias != nullptr && map + m < n_maps) sum += core::widen(args.bias[map + m]);
    if (args.relu && sum < 0) sum = 0;
  }
}

template <class Tile, class T>
__device__ __forceinline__ void store_tile(const ConvArgs<T>& args, const DirectPlan& plan, std::int64_t image, int map,
                                           int y, int x, float (&sums)[Tile::maps][Tile::rows][4]) {
  if (args.bias != nullptr || args.relu) finish_sums<Tile>(args, map, sums);
  switch (static_cast<int>(args.pool.size)) {
    case 1: return store_layer<1, Tile>(args, plan, image, map, y, x, sums);
    case 2: return store_layer<2, Tile>(args, plan, image, map, y, x, sums);
    default:
      if constexpr (Tile::rows % 4 == 0) store_layer<4, Tile>(args, plan, image, map, y, x, sums);
  }
}

// Invariant: where channels come in several chunks there is one round of rows and one of maps, whose sums stay in
// registers until the last chunk.
template <class Tile, class T>
__global__ void __launch_bounds__(Tile::most_threads, 2) conv_direct(ConvArgs<T> args, DirectPlan plan) {
  float* buffers = core::dynamic_shared<float>();
  float* weights = buffers + 2 * plan.buffer_floats();
  const int taps = static_cast<int>(args.shape.kernel_height * args.shape.kernel_width);

  unsigned at = blockIdx.x;
  const int first_map = static_cast<int>(at % plan.n_map_blocks) * plan.block_maps * plan.map_rounds;
  at /= plan.n_map_blocks;
  const int x0 = static_cast<int>(at % plan.n_tile_cols) * plan.tile_cols;
  at /= plan.n_tile_cols;
  const int y0 = static_cast<int>(at % plan.n_tile_rows) * plan.tile_rows;
  at /= plan.n_tile_rows;
  const unsigned first_image = at * plan.block_images;
  const unsigned n_images = min(plan.block_images, plan.n_images - first_image);

  const int x = static_cast<int>(threadIdx.x) * 4;
  const int y = static_cast<int>(threadIdx.y) * Tile::rows;
  const int map = static_cast<int>(threadIdx.z) * Tile::maps;
  const auto n_channels = static_cast<int>(args.shape.channels);
  const int n_rows = min(plan.tile_rows, plan.out_height - y0);
  const int round_weights = plan.chunk * taps * plan.block_maps;
  const float* thread_weights = weights + map * plan.chunk * taps;

  unsigned image = first_image;
  int first = 0;  // channel of the step
  const auto stage = [&](unsigned of_image, int first_channel, float* to) {
    const int n = min(plan.chunk, n_channels - first_channel);
    stage_tile(args, plan, of_image, y0, x0, first_channel, n, to);
    ptx::copy_async_commit();
  };
  stage(image, 0, buffers);
  if (plan.n_chunks == 1) stage_weights<Tile>(args, plan, first_map, 0, n_channels, weights);
  float sums[Tile::maps][Tile::rows][4] = {};
  for (unsigned step = 0; step < n_images * static_cast<unsigned>(plan.n_chunks); ++step) {
    const float* tile = buffers + (step % 2) * plan.buffer_floats();
    const int n = min(plan.chunk, n_channels - first);
    const bool is_last = first + n == n_channels;
    if (plan.n_chunks > 1) {
      __syncthreads();  // nobody reads the last chunk's weights any more
      stage_weights<Tile>(args, plan, first_map, first, n, weights);
    }
    ptx::copy_async_wait<0>();
    __syncthreads();  // this step is there, and nobody reads the last one any more
    const unsigned next_image = is_last ? image + 1 : image;
    const int next = is_last ? 0 : first + n;
    if (next_image < first_image + n_images) stage(next_image, next, buffers + (1 - step % 2) * plan.buffer_floats());

    for (int row = y; row < n_rows; row += plan.round_rows) {
      for (int round = 0; round < plan.map_rounds; ++round) {
        add_channels<Tile>(args, plan, tile + row * plan.pitch + x, thread_weights + round * round_weights, n, sums);
        if (!is_last) continue;
        store_tile<Tile>(args, plan, image, first_map + round * plan.block_maps + map, y0 + row, x0 + x, sums);
        clear(sums);
      }
    }
    image = next_image;
    first = next;
  }
}

/// Whether windows lie in a thread's pixels.
constexpr bool can_pool(const MaxPool& pool, int rows) {
  return pool.size == pool.stride && (pool.size == 1 || pool.size == 2 || pool.size == 4) && rows % pool.size == 0;
}

template <class Tile, class T>
DirectPlan direct_plan(const ConvArgs<T>& args) {
  constexpr int most_shared = 72 << 10;  // so that a multiprocessor has three blocks
  constexpr int good_shared = 48 << 10;  // or four
  const auto pieces = [](std::int64_t n, std::int64_t each) { return static_cast<int>(ceil_div(n, each)); };
  const ConvShape& shape = args.shape;
  DirectPlan plan{};
  plan.out_height = static_cast<int>(shape.out_height());
  plan.out_width = static_cast<int>(shape.out_width());
  plan.pooled_height = static_cast<int>(args.pool.out(plan.out_height));
  plan.pooled_width = static_cast<int>(args.pool.out(plan.out_width));
  plan.n_images = static_cast<unsigned>(shape.batch);

  // Rows so that warps are full: of all heights the one that leaves the fewest threads idle, the larger if equal.
  const int threads_x = std::min(pieces(plan.out_width, 4), 32);
  const int all_rows = pieces(plan.out_height, Tile::rows);
  const int groups = pieces(shape.maps, Tile::maps);
  const int threads_maps = std::clamp(Tile::most_threads / (threads_x * all_rows), 1, groups);
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
    if ((Tile::rows * pitch - plan.tile_cols) % 32 == 0) {  // the next row's threads go on where these end
      plan.pitch = pitch;
      break;
    }
  }

  // As many rounds of maps and of rows as shared memory has room for, with all channels; else one of each, and chunks.
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
  row_rounds = pieces(all_rounds, pieces(all_rounds, row_rounds));  // tiles alike
  plan.chunk = static_cast<int>(
      std::clamp<std::int64_t>(most_shared / shared(1, row_rounds, plan.map_rounds), 1, shape.channels));
  plan.n_chunks = pieces(shape.channels, plan.chunk);
  plan.tile_rows = row_rounds * plan.round_rows;
  plan.in_rows = rows_of(row_rounds);
  plan.n_tile_cols = static_cast<unsigned>(pieces(plan.out_width, plan.tile_cols));
  plan.n_tile_rows = static_cast<unsigned>(pieces(plan.out_height, plan.tile_rows));
  plan.n_map_blocks = static_cast<unsigned>(pieces(all_maps, plan.map_rounds));

  // Several images for a block, as long as the GPU has its fill of blocks three times.
  const std::int64_t enough_blocks = 3 * core::resident_blocks(conv_direct<Tile, T>, Tile::most_threads / 2, 0);
  const std::int64_t per_image = std::int64_t{plan.n_tile_rows} * plan.n_tile_cols * plan.n_map_blocks;
  plan.block_images = static_cast<unsigned>(std::clamp<std::int64_t>(shape.batch * per_image / enough_blocks, 1, 16));

  const auto aligned = [&](int elements) {
    return shape.width % elements == 0 && shape.pad_width == 0 && plan.tile_cols % elements == 0 &&
           reinterpret_cast<std::uintptr_t>(args.in) % (4 * static_cast<std::uintptr_t>(elements)) == 0;
  };
  plan.copy_bytes = !std::is_same_v<T, float> ? 4 : aligned(4) ? 16 : aligned(2) ? 8 : 4;
  const bool whole = plan.out_width % 4 == 0 && reinterpret_cast<std::uintptr_t>(args.out) % (4 * sizeof(T)) == 0;
  plan.stores_vectors = whole;
  return plan;
}

template <class Tile, class T>
void run_direct(const Stream& stream, const ConvArgs<T>& args) {
  const DirectPlan plan = direct_plan<Tile>(args);
  const std::int64_t taps = args.shape.kernel_height * args.shape.kernel_width;
  const std::int64_t shared_bytes =
      4 * (2 * std::int64_t{plan.buffer_floats()} + plan.chunk * taps * plan.block_maps * plan.map_rounds);
  const std::int64_t image_blocks = ceil_div(args.shape.batch, plan.block_images);
  core::allow_shared(conv_direct<Tile, T>, shared_bytes);
  core::launch(conv_direct<Tile, T>, image_blocks * plan.n_tile_rows * plan.n_tile_cols * plan.n_map_blocks,
               plan.threads, shared_bytes, stream, args, plan);
}

/// Calls f with the tile for kernels of this size: their side compiled in where it is a usual one.
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

/// Convolution in fp32 and what follows it, for windows that can_pool() in some tile.
template <class T>
void direct_convolution(const Stream& stream, const ConvArgs<T>& args) {
  if (args.out_elements() == 0) return;
  const auto run = [&](auto tile) { run_direct<decltype(tile)>(stream, args); };
  if (args.pool.size == 4) return with_direct_tile<4, 4>(args.shape, run);
  with_direct_tile<2, 4>(args.shape, run);
}

}  // namespace rafter::conv_ladder::RAFTER_BACKEND
