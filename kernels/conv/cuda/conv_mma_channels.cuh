// Tensor-core convolution of up to 4 channels: 16 maps x 8 pixels x (4 taps x 4 channels) per mma.
//
// Halves are interleaved by channel, 8 bytes per pixel, so that one 8-byte load has the four channels of a tap. The
// order of the 16 products within an mma is free: lane t of a quad has tap 4 j + t of a kernel row,
//
//   b[0], b[1]   channels 0, 1 and 2, 3 of pixel (y + p, x + 4 j + t), for pixel (y, x) of column g
//   a[0], a[2]   the same channels of map g's weights; a[1], a[3] of map g + 8's
//
// with ceil(K / 4) steps j for each kernel row p (fragment layouts: library/ptx/fragment.cuh; g is the quad). The
// weights of all steps stay in registers during the whole kernel: 56 for a kernel of 7 x 7. Pixels are numbered through
// the rows of the output without gaps, so the columns of an mma are 32 contiguous bytes of a map's plane, and stores
// fill whole sectors. With pooling, pixels are numbered window by window: a quad has one or two whole windows, and
// shuffles give their maximum. Bound by memory: an image is read once and its maps are written once.
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

/// Stores the first `n` of two elements, as one vector if they are aligned.
template <class T>
__device__ __forceinline__ void store_pair(const Pair<T>& pair, T* to, int n) {
  if (reinterpret_cast<std::uintptr_t>(to) % sizeof(Pair<T>) == 0 && n >= 2) {
    *reinterpret_cast<Pair<T>*>(to) = pair;
  } else {
    if (n >= 1) to[0] = pair.elements[0];
    if (n >= 2) to[1] = pair.elements[1];
  }
}

/// A lane's weights, and its work on a tile in shared memory. Collective: all threads of the block construct one and
/// call the same functions.
template <class Mma, class T>
class ChannelsLane {
 public:
  __device__ __forceinline__ ChannelsLane(const ConvArgs<T>& args, const MmaPlan& plan, const uint2* halves)
      : args_(args), plan_(plan), halves_(halves) {
#pragma unroll
    for (int step = 0; step < Mma::n_steps; ++step) {
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        const int c = ptx::OperandA16x16::depth_half(i) * 2;
        const int p = step / Mma::steps_per_row;
        const int q = step % Mma::steps_per_row * 4 + t_;
        const int m = map(ptx::OperandA16x16::row_half(i));
        const HalfPair pair = half_pair<Mma::split>(weight_of(args, m, c, p, q), weight_of(args, m, c + 1, p, q));
        weights_[step][0][i] = pair.high;
        if constexpr (Mma::split) weights_[step][1][i] = pair.low;
      }
    }
    bias_[0] = bias_of(args, map(0));
    bias_[1] = bias_of(args, map(1));
  }

  /// Computes and stores the tile's outputs, whose first row is y0, without pooling.
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
        const Pair<T> pair{{finished(args_, sums[Accumulator::element(half, 0)], bias_[half]),
                            finished(args_, sums[Accumulator::element(half, 1)], bias_[half])}};
        if (map(half) < args_.shape.maps)
          store_pair(pair, out + map(half) * plane + first + 2 * t_, n_pixels - first - 2 * t_);
      }
    }
  }

  /// Computes and stores the tile's pooled outputs: two windows of 2 x 2 per mma, or one of 4 x 4 in two mma. A
  /// window's pixels are numbered row by row.
  __device__ __forceinline__ void store_windows(std::int64_t image, int y0) const {
    const int pool = plan_.pool;
    const int n_rows = max(min(plan_.tile_rows / pool, plan_.pooled_height - y0 / pool), 0);
    const int n_windows = n_rows * plan_.pooled_width;
    const int per_mma = pool == 2 ? 2 : 1;
    for (int first = warp_ * per_mma; first < n_windows; first += n_warps * per_mma) {
      const Window factors(plan_, min(first + (per_mma == 2 ? g_ / 4 : 0), n_windows - 1));  // of column g of B
      const Window mine(plan_, min(first + (per_mma == 2 ? t_ / 2 : 0), n_windows - 1));     // of this lane's sums
      float largest[2] = {-INFINITY, -INFINITY};
      for (int part = 0; part < pool / 2; ++part) {
        float sums[4];
        multiply(factors.row_of(part * 8 + g_), factors.col_of(part * 8 + g_), sums);
        const bool has_row = y0 + mine.row_of(part * 8 + 2 * t_) < out_height_;
        const int col = mine.col_of(part * 8 + 2 * t_);
#pragma unroll
        for (int i = 0; i < Accumulator::elements; ++i) {
          float& most = largest[Accumulator::row_half(i)];
          if (has_row && col + Accumulator::column_offset(i) < out_width_) most = fmaxf(most, sums[i]);
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
  using Accumulator = ptx::Accumulator16x8;
  static constexpr int n_warps = Mma::threads / 32;

  /// Window i of a tile: the position of its first pixel, and of the others.
  struct Window {
    int pool;
    int row, col;
    __device__ __forceinline__ Window(const MmaPlan& plan, int i)
        : pool(plan.pool), row(plan.row_width.quotient(i) * pool), col(plan.row_width.remainder(i) * pool) {}
    __device__ __forceinline__ int row_of(int pixel) const { return row + ((pixel & (pool * pool - 1)) >> (pool / 2)); }
    __device__ __forceinline__ int col_of(int pixel) const { return col + (pixel & (pool - 1)); }
  };

  /// The map of row g (half 0) or g + 8 (half 1) of an accumulator tile.
  __device__ __forceinline__ int map(int half) const {
    return static_cast<int>(blockIdx.y) * Mma::maps + g_ + 8 * half;
  }

  /// Computes the sums of 8 pixels as an accumulator tile; the pixel of this lane's column of B is at (row, col).
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
  int g_ = ptx::quad_of(static_cast<int>(threadIdx.x) % 32);
  int t_ = ptx::quad_lane(static_cast<int>(threadIdx.x));
  unsigned weights_[Mma::n_steps][Mma::n_parts][4];
  float bias_[2];
};

template <class Mma, class T>
__global__ void __launch_bounds__(Mma::threads, 2) conv_mma_channels(ConvArgs<T> args, MmaPlan plan) {
  T* copied = core::dynamic_shared<T>();
  uint2* halves = reinterpret_cast<uint2*>(reinterpret_cast<char*>(copied) + plan.floats_bytes);
  const int part_pixels = plan.halves_rows * plan.pitch;  // the low parts follow the high ones
  const ChannelsLane<Mma, T> lane(args, plan, halves);
  unsigned item = blockIdx.x;
  if (item < plan.n_items) copy_rows(args, plan, item, copied);
  for (; item < plan.n_items; item += gridDim.x) {
    const unsigned image = item / plan.n_tiles;
    const int tile = static_cast<int>(item % plan.n_tiles);
    ptx::copy_async_wait<0>();
    __syncthreads();  // all copies are complete, and all threads have read the previous halves
    for_pixels(args, plan, tile, copied, [&](int row, int col, auto&& pixel) {
      const float values[4] = {pixel(0), pixel(1), pixel(2), pixel(3)};
      const HalfPair first = half_pair<Mma::split>(values[0], values[1]);
      const HalfPair second = half_pair<Mma::split>(values[2], values[3]);
      halves[row * plan.pitch + col] = {first.high, second.high};
      if constexpr (Mma::split) halves[part_pixels + row * plan.pitch + col] = {first.low, second.low};
    });
    __syncthreads();  // the halves are written, and all threads have read the floats
    if (item + gridDim.x < plan.n_items) copy_rows(args, plan, item + gridDim.x, copied);
    plan.pool == 1 ? lane.store_pixels(image, tile * plan.tile_rows) : lane.store_windows(image, tile * plan.tile_rows);
  }
}

/// Runs the kernel. Returns false, without a launch, for more than 4 channels or images that do not fit.
template <int Kernel, bool Split, class T>
bool run_mma_channels(const Stream& stream, const ConvArgs<T>& args) {
  using Mma = ChannelsMma<Kernel, Split>;
  MmaPlan plan = mma_plan(args, 1, 0, Mma::steps_per_row * 4 - 1, Mma::pixel_bytes, core::tuned(mma_shared_kib) << 10);
  if (plan.tile_rows == 0 || args.shape.channels > 4) return false;
  launch_mma<Mma>(stream, conv_mma_channels<Mma, T>, args, plan);
  return true;
}

}  // namespace rafter::conv_ladder::RAFTER_BACKEND
