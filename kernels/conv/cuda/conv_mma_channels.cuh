// Tensor-core convolution of up to 4 channels: 16 maps x 8 pixels x (4 taps x 4 channels) in an mma.
//
// Halves lie channel by channel beside each other, 8 bytes a pixel, so that one 8-byte load brings the four channels of
// one tap. The order of products within an mma is ours: lane t of a quad has tap 4 j + t of a kernel row,
//
//   b[0], b[1]   channels 0, 1 and 2, 3 of pixel (y + p, x + 4 j + t), for pixel (y, x) of column g
//   a[0], a[2]   the same of map g's kernel; a[1], a[3] of map g + 8's
//
// with ceil(K / 4) steps j for each kernel row p. The weights of all steps stay in registers for the block's whole
// life: 56 for a kernel of 7 x 7. Pixels are counted through the rows of the output without gaps, so a quad's two
// columns each are 32 bytes of a map's plane, and stores fill whole sectors. With pooling they are counted window by
// window: a quad then has one or two whole ones, and its lanes agree on the largest.
#pragma once

#include "conv/cuda/conv_mma_image.cuh"

namespace rafter::conv_ladder::RAFTER_BACKEND {

template <int Kernel, bool Split>
struct ChannelsMma {
  static constexpr int kernel = Kernel;
  static constexpr bool split = Split;
  static constexpr int n_parts = Split ? 2 : 1;
  static constexpr int steps_per_row = (Kernel + 3) / 4;
  static constexpr int n_steps = Kernel * steps_per_row;
  static constexpr int threads = Split ? 128 : 256;
  static constexpr int pixel_bytes = 8 * n_parts;
  static constexpr int maps = 16;
};

template <class T>
struct alignas(2 * sizeof(T)) Pair {
  T elements[2];
};

/// Stores the first `n` of two numbers, together where they are aligned.
template <class T>
__device__ __forceinline__ void store_pair(const Pair<T>& pair, T* to, int n) {
  if (reinterpret_cast<std::uintptr_t>(to) % sizeof(Pair<T>) == 0 && n >= 2) {
    *reinterpret_cast<Pair<T>*>(to) = pair;
  } else {
    if (n >= 1) to[0] = pair.elements[0];
    if (n >= 2) to[1] = pair.elements[1];
  }
}

/// A lane of a warp: its part of all weights, and what the warp does with a tile in shared memory.
template <class Mma, class T>
class ChannelsLane {
 public:
  __device__ __forceinline__ ChannelsLane(const ConvArgs<T>& args, const MmaPlan& plan, const uint2* halves)
      : args_(args), plan_(plan), halves_(halves) {
#pragma unroll
    for (int step = 0; step < Mma::n_steps; ++step) {
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        const int c = i / 2 * 2;
        const int p = step / Mma::steps_per_row;
        const int q = step % Mma::steps_per_row * 4 + t_;
        const int m = map(i % 2);
        const HalfPair pair = half_pair<Mma::split>(weight_of(args, m, c, p, q), weight_of(args, m, c + 1, p, q));
        weights_[step][0][i] = pair.high;
        if constexpr (Mma::split) weights_[step][1][i] = pair.low;
      }
    }
    bias_[0] = bias_of(args, map(0));
    bias_[1] = bias_of(args, map(1));
  }

  /// The tile's outputs, whose first row is y0, as they are.
  __device__ __forceinline__ void store_pixels(std::int64_t image, int y0) const {
    const int n_pixels = min(plan_.tile_rows, out_height_ - y0) * out_width_;
    const std::int64_t plane = static_cast<std::int64_t>(out_height_) * out_width_;
    T* out = args_.out + image * args_.shape.maps * plane + static_cast<std::int64_t>(y0) * out_width_;
    for (int first = warp_ * 8; first < n_pixels; first += n_warps * 8) {
      const int at = min(first + g_, n_pixels - 1);
      float sums[4];
      multiply(plan_.row_width.quotient(at), plan_.row_width.remainder(at), sums);
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        const Pair<T> pair{
            {finished(args_, sums[2 * half], bias_[half]), finished(args_, sums[2 * half + 1], bias_[half])}};
        if (map(half) < args_.shape.maps)
          store_pair(pair, out + map(half) * plane + first + 2 * t_, n_pixels - first - 2 * t_);
      }
    }
  }

  /// The same pooled: two windows of 2 x 2 in an mma, or one of 4 x 4 in two. A window's pixels come row by row.
  __device__ __forceinline__ void store_windows(std::int64_t image, int y0) const {
    const int pool = plan_.pool;
    const int n_rows = max(min(plan_.tile_rows / pool, plan_.pooled_height - y0 / pool), 0);
    const int n_windows = n_rows * plan_.pooled_width;
    const int per_mma = pool == 2 ? 2 : 1;
    for (int first = warp_ * per_mma; first < n_windows; first += n_warps * per_mma) {
      const Window factors(plan_, min(first + (per_mma == 2 ? g_ / 4 : 0), n_windows - 1));  // of column g
      const Window mine(plan_, min(first + (per_mma == 2 ? t_ / 2 : 0), n_windows - 1));     // of columns 2 t, 2 t + 1
      float largest[2] = {-INFINITY, -INFINITY};
      for (int turn = 0; turn < pool / 2; ++turn) {
        float sums[4];
        multiply(factors.row_of(turn * 8 + g_), factors.col_of(turn * 8 + g_), sums);
        const bool has_row = y0 + mine.row_of(turn * 8 + 2 * t_) < out_height_;
        const int col = mine.col_of(turn * 8 + 2 * t_);
#pragma unroll
        for (int i = 0; i < 4; ++i) {
          if (has_row && col + i % 2 < out_width_) largest[i / 2] = fmaxf(largest[i / 2], sums[i]);
        }
      }
      const bool is_first = t_ % pool == 0 && first + (per_mma == 2 ? t_ / 2 : 0) < n_windows;
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        float all = larger_of_lanes(largest[half], 1);
        if (pool == 4) all = larger_of_lanes(all, 2);
        const T rounded = finished(args_, all, bias_[half]);
        const std::int64_t plane = image * args_.shape.maps + map(half);
        T* to = args_.out + (plane * plan_.pooled_height + (y0 + mine.row) / pool) * plan_.pooled_width;
        if (is_first && map(half) < args_.shape.maps) to[mine.col / pool] = rounded;
      }
    }
  }

 private:
  static constexpr int n_warps = Mma::threads / 32;

  /// The i-th of a tile: where its first pixel is, and its others.
  struct Window {
    int pool;
    int row, col;
    __device__ __forceinline__ Window(const MmaPlan& plan, int i)
        : pool(plan.pool), row(plan.row_width.quotient(i) * pool), col(plan.row_width.remainder(i) * pool) {}
    __device__ __forceinline__ int row_of(int pixel) const { return row + ((pixel & (pool * pool - 1)) >> (pool / 2)); }
    __device__ __forceinline__ int col_of(int pixel) const { return col + (pixel & (pool - 1)); }
  };

  /// The map of rows g and g + 8 of an accumulator tile.
  __device__ __forceinline__ int map(int half) const {
    return static_cast<int>(blockIdx.y) * Mma::maps + g_ + 8 * half;
  }

  /// The sums of 8 pixels as an accumulator tile has them; the pixel of this lane's own column is at (row, col).
  __device__ __forceinline__ void multiply(int row, int col, float (&sums)[4]) const {
    const int part_pixels = plan_.halves_rows * plan_.pitch;
    const uint2* pixels = halves_ + row * plan_.pitch + min(col, out_width_ - 1) + t_;
    Products<Mma::split> products[2];  // of even and odd steps
#pragma unroll
    for (int step = 0; step < Mma::n_steps; ++step) {
      const int offset = step / Mma::steps_per_row * plan_.pitch + step % Mma::steps_per_row * 4;
      unsigned values[Mma::n_parts][2];
#pragma unroll
      for (int part = 0; part < Mma::n_parts; ++part) {
        const uint2 four = pixels[part * part_pixels + offset];
        values[part][0] = four.x;
        values[part][1] = four.y;
      }
      products[step % 2].add(weights_[step], values);
    }
#pragma unroll
    for (int i = 0; i < 4; ++i) sums[i] = products[0].sum(i) + products[1].sum(i);
  }

  const ConvArgs<T>& args_;
  const MmaPlan& plan_;
  const uint2* halves_;
  int out_width_ = static_cast<int>(args_.shape.out_width());
  int out_height_ = static_cast<int>(args_.shape.out_height());
  int warp_ = static_cast<int>(threadIdx.x) / 32;
  int g_ = static_cast<int>(threadIdx.x) % 32 / 4;
  int t_ = static_cast<int>(threadIdx.x) % 4;
  unsigned weights_[Mma::n_steps][Mma::n_parts][4];
  float bias_[2];
};

template <class Mma, class T>
__global__ void __launch_bounds__(Mma::threads, 2) conv_mma_channels(ConvArgs<T> args, MmaPlan plan) {
  T* copied = core::dynamic_shared<T>();
  uint2* halves = reinterpret_cast<uint2*>(reinterpret_cast<char*>(copied) + plan.floats_bytes);
  const int part_pixels = plan.halves_rows * plan.pitch;  // of the high parts, before the low ones
  const ChannelsLane<Mma, T> lane(args, plan, halves);
  unsigned item = blockIdx.x;
  if (item < plan.n_items) copy_rows(args, plan, item, copied);
  for (; item < plan.n_items; item += gridDim.x) {
    const unsigned image = item / plan.n_tiles;
    const int tile = static_cast<int>(item % plan.n_tiles);
    ptx::copy_async_wait<0>();
    __syncthreads();  // the floats have come, and nobody reads the last halves any more
    for_pixels(args, plan, tile, copied, [&](int row, int col, auto&& pixel) {
      const float values[4] = {pixel(0), pixel(1), pixel(2), pixel(3)};
      const HalfPair first = half_pair<Mma::split>(values[0], values[1]);
      const HalfPair second = half_pair<Mma::split>(values[2], values[3]);
      halves[row * plan.pitch + col] = {first.high, second.high};
      if constexpr (Mma::split) halves[part_pixels + row * plan.pitch + col] = {first.low, second.low};
    });
    __syncthreads();  // the halves are there, and the floats are free
    if (item + gridDim.x < plan.n_items) copy_rows(args, plan, item + gridDim.x, copied);
    plan.pool == 1 ? lane.store_pixels(image, tile * plan.tile_rows) : lane.store_windows(image, tile * plan.tile_rows);
  }
}

/// Whether it was done; not for more channels, other kernels or images that do not fit.
template <int Kernel, bool Split, class T>
bool run_mma_channels(const Stream& stream, const ConvArgs<T>& args) {
  using Mma = ChannelsMma<Kernel, Split>;
  MmaPlan plan = mma_plan(args, 1, 0, Mma::steps_per_row * 4 - 1, Mma::pixel_bytes, 100 << 10);
  if (plan.tile_rows == 0 || args.shape.channels > 4) return false;
  launch_mma<Mma>(stream, conv_mma_channels<Mma, T>, args, plan);
  return true;
}

}  // namespace rafter::conv_ladder::RAFTER_BACKEND
