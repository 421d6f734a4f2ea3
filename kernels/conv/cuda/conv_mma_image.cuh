// The common part of the tensor-core convolutions of few channels. A persistent block processes image after image: it
// copies the next one's floats to shared memory while it multiplies, and then converts them to float16.
//
//   floats   [channels][rows][width] of the next image, by cp.async
//   halves   the operand of the tensor cores: float16, or two of them for a split product
//
//   wait for the copies | sync | floats -> halves | sync | start the next copies | multiply, store |
//
// Races: the first barrier orders the copies before the conversion, and all reads of the previous halves before it; the
// second orders the halves before their reads, and all reads of the floats before the next copies.
//
// A factor f is split as f = high + low / 2048, both float16: low has the 11 bits of f after those in high.
#pragma once

#include <algorithm>

#include "conv/conv_tunables.hpp"
#include "conv/cuda/conv_activate.cuh"
#include "library/core/cuda/dynamic_shared.cuh"
#include "library/core/cuda/launch.cuh"
#include "library/core/cuda/policy.cuh"
#include "library/ptx/async_copy.cuh"
#include "library/ptx/fragment.cuh"
#include "library/ptx/matrix.cuh"

namespace rafter::conv_ladder::RAFTER_BACKEND {

inline constexpr float low_scale = 2048;

/// The tiles of images, and the layout of a tile in shared memory.
struct MmaPlan {
  int tile_rows;      // output rows of a tile, whole windows of the pooling
  unsigned n_tiles;   // tiles of an image
  unsigned n_items;   // tiles of all images
  int copy_elements;  // elements of a cp.async; 0: plain loads
  int pitch;          // of a row of `halves`, in pixels
  int halves_rows;    // rows of `halves`
  int halves_cols;    // columns that are read
  int floats_bytes;   // of `floats`
  int pool;           // side of the windows: 1, 2 or 4
  int pooled_height, pooled_width;
  Divisor row_width;  // windows of a row, or pixels without pooling
};

__device__ __forceinline__ Half high_part(float value) { return ptx::from_float<Half>(value); }
__device__ __forceinline__ Half low_part(float value) {
  return ptx::from_float<Half>((value - ptx::to_float(high_part(value))) * low_scale);
}

/// The input rows of a tile that are inside the image.
struct ImageRows {
  int first;
  int n;
};

__device__ inline ImageRows rows_of_tile(const ConvShape& shape, const MmaPlan& plan, int tile) {
  const int top = tile * plan.tile_rows - static_cast<int>(shape.pad_height);
  const int bottom = top + plan.tile_rows + static_cast<int>(shape.kernel_height) - 1;
  const int first = max(top, 0);
  return {first, max(min(bottom, static_cast<int>(shape.height)) - first, 0)};
}

/// Starts the copies of work item `item` = (image, tile): its rows of every channel, contiguous. Collective: all
/// threads of the block.
template <class T>
__device__ void copy_rows(const ConvArgs<T>& args, const MmaPlan& plan, unsigned item, T* to) {
  const ConvShape& shape = args.shape;
  const ImageRows rows = rows_of_tile(shape, plan, static_cast<int>(item % plan.n_tiles));
  const auto width = static_cast<int>(shape.width);
  const T* image = args.in + item / plan.n_tiles * shape.image() + std::int64_t{rows.first} * width;
  const std::int64_t plane = shape.height * shape.width;
  const int n = rows.n * width;
  const auto copy = [&](auto elements) {
    constexpr int step = elements();
    for (int c = 0; c < static_cast<int>(shape.channels); ++c) {
      for (int i = static_cast<int>(threadIdx.x) * step; i < n; i += static_cast<int>(blockDim.x) * step)
        ptx::copy_async<step* static_cast<int>(sizeof(T))>(to + c * n + i, image + c * plane + i);
    }
  };
  constexpr int word = 4 / sizeof(T);
  if (plan.copy_elements == 4 * word) {
    copy(std::integral_constant<int, 4 * word>{});
  } else if (plan.copy_elements == 2 * word) {
    copy(std::integral_constant<int, 2 * word>{});
  } else if (plan.copy_elements == word) {
    copy(std::integral_constant<int, word>{});
  } else {
    for (int c = 0; c < static_cast<int>(shape.channels); ++c) {
      for (int i = static_cast<int>(threadIdx.x); i < n; i += static_cast<int>(blockDim.x))
        to[c * n + i] = image[c * plane + i];
    }
  }
  ptx::copy_async_commit();
}

/// Calls f(row, col, pixel), with pixel(c) the value of channel c, for every pixel of the tile that the products read;
/// pixels outside of the image are 0. Collective: all threads of the block.
template <class T, class F>
__device__ void for_pixels(const ConvArgs<T>& args, const MmaPlan& plan, int tile, const T* copied, F&& f) {
  const ConvShape& shape = args.shape;
  const ImageRows rows = rows_of_tile(shape, plan, tile);
  const auto width = static_cast<int>(shape.width);
  const int n = rows.n * width;
  const int above = tile * plan.tile_rows - static_cast<int>(shape.pad_height) - rows.first;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  for (int row = static_cast<int>(threadIdx.x) / 32; row < plan.halves_rows; row += static_cast<int>(blockDim.x) / 32) {
    const int y = row + above;
    const bool has_row = y >= 0 && y < rows.n;
    for (int col = lane; col < plan.halves_cols; col += 32) {
      const int x = col - static_cast<int>(shape.pad_width);
      const bool is_inside = has_row && x >= 0 && x < width;
      f(row, col, [&](int c) {
        return is_inside && c < static_cast<int>(shape.channels) ? core::widen(copied[c * n + y * width + x]) : 0.f;
      });
    }
  }
}

/// The weight of map m, channel c and tap (p, q), or 0 outside of the kernel.
template <class T>
__device__ float weight_of(const ConvArgs<T>& args, std::int64_t m, int c, int p, int q) {
  const ConvShape& shape = args.shape;
  const bool exists =
      m < shape.maps && c < shape.channels && p >= 0 && p < shape.kernel_height && q >= 0 && q < shape.kernel_width;
  return exists
             ? core::widen(args.kernels[((m * shape.channels + c) * shape.kernel_height + p) * shape.kernel_width + q])
             : 0.f;
}

/// Two adjacent elements of a fragment as float16 (high), and their scaled rounding errors (low).
struct HalfPair {
  unsigned high;
  unsigned low;
};
template <bool Split>
__device__ HalfPair half_pair(float first, float second) {
  const auto left = [](float value) { return (value - ptx::to_float(high_part(value))) * low_scale; };
  return {ptx::pair_from_floats<Half>(first, second),
          Split ? ptx::pair_from_floats<Half>(left(first), left(second)) : 0};
}

/// An accumulator tile: sums += weights * pixels for one step of 16 products, by one mma, or three for split factors.
/// An mma waits for the previous one on the same accumulator, so a warp alternates between several of these.
template <bool Split>
struct Products {
  float high[4] = {};
  float cross[Split ? 4 : 1] = {};  // products of a high and a low part, times 2048

  __device__ __forceinline__ void add(const unsigned (&weights)[Split ? 2 : 1][4],
                                      const unsigned (&pixels)[Split ? 2 : 1][2]) {
    ptx::mma_m16n8k16<__half>(high, weights[0], pixels[0]);
    if constexpr (Split) {
      ptx::mma_m16n8k16<__half>(cross, weights[0], pixels[1]);
      ptx::mma_m16n8k16<__half>(cross, weights[1], pixels[0]);
    }
  }
  /// Element i of the accumulator (ptx::Accumulator16x8).
  __device__ __forceinline__ float sum(int i) const {
    if constexpr (Split) return high[i] + cross[i] * (1 / low_scale);
    return high[i];
  }
};

/// The maximum of a lane's value and that of lane ^ mask. Collective: all lanes of the warp.
__device__ __forceinline__ float larger_of_lanes(float value, int mask) {
  return fmaxf(value, __shfl_xor_sync(0xffffffff, value, mask));
}

/// Returns a plan whose floats and halves fit in `most_bytes`; its tile_rows is 0 if none does. `pixel_bytes` is the
/// size of a pixel in `halves`; `more_rows` and `more_cols` are read past the tile's last input.
template <class T>
MmaPlan mma_plan(const ConvArgs<T>& args, int row_step, int more_rows, int more_cols, int pixel_bytes, int most_bytes) {
  const ConvShape& shape = args.shape;
  MmaPlan plan{};
  plan.pool = static_cast<int>(args.pool.size);
  plan.pooled_height = static_cast<int>(args.pool.out(shape.out_height()));
  plan.pooled_width = static_cast<int>(args.pool.out(shape.out_width()));
  plan.row_width = Divisor(plan.pooled_width);
  row_step = std::max(row_step, plan.pool);
  const auto out_height = static_cast<int>(shape.out_height());
  const std::int64_t cols = shape.out_width() + more_cols;
  if (shape.channels * shape.width > (1 << 14) || cols > (1 << 14)) return plan;
  plan.halves_cols = static_cast<int>(cols);
  plan.pitch = plan.halves_cols;
  const auto bytes = [&](int tile_rows) {
    const int in_rows = tile_rows + static_cast<int>(shape.kernel_height) - 1;
    return (in_rows + more_rows) * plan.pitch * pixel_bytes +
           in_rows * static_cast<int>(shape.channels * shape.width) * static_cast<int>(sizeof(T)) + 16;
  };
  int tile_rows = out_height;
  while (tile_rows > row_step && bytes(tile_rows) > most_bytes) tile_rows = (tile_rows + 1) / 2;
  tile_rows = static_cast<int>(ceil_div(tile_rows, row_step)) * row_step;
  if (bytes(tile_rows) > most_bytes) return plan;
  const std::int64_t n_tiles = ceil_div(out_height, tile_rows);
  if (shape.batch * n_tiles > 0x7fffffff) return plan;
  plan.tile_rows = tile_rows;
  plan.n_tiles = static_cast<unsigned>(n_tiles);
  plan.n_items = static_cast<unsigned>(shape.batch * n_tiles);
  plan.halves_rows = tile_rows + static_cast<int>(shape.kernel_height) - 1 + more_rows;
  const std::int64_t most_rows = std::min<std::int64_t>(shape.height, tile_rows + shape.kernel_height - 1);
  plan.floats_bytes =
      static_cast<int>(ceil_div(most_rows * shape.channels * shape.width * std::int64_t{sizeof(T)}, 16)) * 16;
  // A contiguous run is a whole plane if the tile is the image, else a row.
  const std::int64_t run = plan.n_tiles == 1 && shape.pad_height == 0 ? shape.height * shape.width : shape.width;
  for (const int bytes_each : {16, 8, 4}) {
    const int elements = bytes_each / static_cast<int>(sizeof(T));
    if (run % elements == 0 && reinterpret_cast<std::uintptr_t>(args.in) % static_cast<unsigned>(bytes_each) == 0) {
      plan.copy_elements = elements;
      break;
    }
  }
  return plan;
}

/// Launches a persistent grid of `kernel` for each group of Mma::maps maps.
template <class Mma, class T>
void launch_mma(const Stream& stream, void (*kernel)(ConvArgs<T>, MmaPlan), const ConvArgs<T>& args,
                const MmaPlan& plan) {
  const std::int64_t shared = plan.floats_bytes + std::int64_t{plan.halves_rows} * plan.pitch * Mma::pixel_bytes;
  core::allow_shared(kernel, shared);
  const std::int64_t groups = ceil_div(args.shape.maps, Mma::maps);
  const std::int64_t resident = core::resident_blocks(kernel, Mma::threads, shared);
  const std::int64_t blocks = std::min<std::int64_t>(plan.n_items, std::max(resident / groups, std::int64_t{1}));
  core::launch(kernel, dim3(static_cast<unsigned>(blocks), static_cast<unsigned>(groups)), Mma::threads, shared, stream,
               args, plan);
}

}  // namespace rafter::conv_ladder::RAFTER_BACKEND
