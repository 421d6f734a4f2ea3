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

template <class Mma, class T>
__global__ void __launch_bounds__(Mma::threads, 2) conv_mma_channels(ConvArgs<T> args, MmaPlan plan) {
  T* copied = core::dynamic_shared<T>();
  uint2* halves = reinterpret_cast<uint2*>(reinterpret_cast<char*>(copied) + plan.floats_bytes);
  const int part_pixels = plan.halves_rows * plan.pitch;  // of the high parts, before the low ones
  const ConvShape& shape = args.shape;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int g = lane / 4;
  const int t = lane % 4;
  const int first_map = static_cast<int>(blockIdx.y) * Mma::maps;

  unsigned weights[Mma::n_steps][Mma::n_parts][4];
#pragma unroll
  for (int step = 0; step < Mma::n_steps; ++step) {
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const int c = i / 2 * 2;
      const int p = step / Mma::steps_per_row;
      const int q = step % Mma::steps_per_row * 4 + t;
      const int m = first_map + g + i % 2 * 8;
      const HalfPair pair = half_pair<Mma::split>(weight_of(args, m, c, p, q), weight_of(args, m, c + 1, p, q));
      weights[step][0][i] = pair.high;
      if constexpr (Mma::split) weights[step][1][i] = pair.low;
    }
  }
  const float bias[2] = {bias_of(args, first_map + g), bias_of(args, first_map + g + 8)};

  const unsigned n_items = plan.n_items;
  const auto out_width = static_cast<int>(shape.out_width());
  const auto out_height = static_cast<int>(shape.out_height());
  const std::int64_t plane = static_cast<std::int64_t>(out_height) * out_width;
  unsigned item = blockIdx.x;
  if (item < n_items) copy_rows(args, plan, item, copied);
  for (; item < n_items; item += gridDim.x) {
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
    if (item + gridDim.x < n_items) copy_rows(args, plan, item + gridDim.x, copied);

    // The sums of 8 pixels as an accumulator tile has them; a lane's own column is the pixel at (row, col).
    const auto multiply = [&](int row, int col, float(&sums)[4]) {
      const uint2* pixels = halves + row * plan.pitch + min(col, out_width - 1) + t;
      Products<Mma::split> products[2];  // of even and odd steps
#pragma unroll
      for (int step = 0; step < Mma::n_steps; ++step) {
        const int offset = step / Mma::steps_per_row * plan.pitch + step % Mma::steps_per_row * 4;
        unsigned values[Mma::n_parts][2];
#pragma unroll
        for (int part = 0; part < Mma::n_parts; ++part) {
          const uint2 four = pixels[part * part_pixels + offset];
          values[part][0] = four.x;
          values[part][1] = four.y;
        }
        products[step % 2].add(weights[step], values);
      }
#pragma unroll
      for (int i = 0; i < 4; ++i) sums[i] = products[0].sum(i) + products[1].sum(i);
    };
    const int warp = static_cast<int>(threadIdx.x) / 32;
    constexpr int n_warps = Mma::threads / 32;
    const int y0 = tile * plan.tile_rows;
    float sums[4];
    if (plan.pool == 1) {
      const int n_pixels = min(plan.tile_rows, out_height - y0) * out_width;
      T* out = args.out + image * shape.maps * plane + static_cast<std::int64_t>(y0) * out_width;
      for (int first = warp * 8; first < n_pixels; first += n_warps * 8) {
        const int at = min(first + g, n_pixels - 1);
        multiply(plan.row_width.quotient(at), plan.row_width.remainder(at), sums);
#pragma unroll
        for (int half = 0; half < 2; ++half) {
          const int m = first_map + g + 8 * half;
          const Pair<T> pair{
              {finished(args, sums[2 * half], bias[half]), finished(args, sums[2 * half + 1], bias[half])}};
          if (m < shape.maps) store_pair(pair, out + m * plane + first + 2 * t, n_pixels - first - 2 * t);
        }
      }
      continue;
    }
    // Windows: two of 2 x 2 in an mma, or one of 4 x 4 in two. Pixels are in the order of their windows' rows.
    const int n_windows =
        max(min(plan.tile_rows / plan.pool, plan.pooled_height - y0 / plan.pool), 0) * plan.pooled_width;
    const int per_mma = plan.pool == 2 ? 2 : 1;
    const int side_bits = plan.pool / 2;  // pool is 1 << side_bits
    const int in_window = plan.pool * plan.pool - 1;
    for (int first = warp * per_mma; first < n_windows; first += n_warps * per_mma) {
      const int factor_window = min(first + (per_mma == 2 ? g / 4 : 0), n_windows - 1);  // of column g
      const int window = min(first + (per_mma == 2 ? t / 2 : 0), n_windows - 1);         // of columns 2 t, 2 t + 1
      const int factor_row = plan.row_width.quotient(factor_window) * plan.pool;
      const int factor_col = plan.row_width.remainder(factor_window) * plan.pool;
      const int row = plan.row_width.quotient(window) * plan.pool;
      const int col = plan.row_width.remainder(window) * plan.pool;
      float largest[2] = {-INFINITY, -INFINITY};
      for (int turn = 0; turn < plan.pool / 2; ++turn) {
        const int factor_at = (turn * 8 + g) & in_window;
        multiply(factor_row + (factor_at >> side_bits), factor_col + (factor_at & (plan.pool - 1)), sums);
        const int at = (turn * 8 + 2 * t) & in_window;
        const bool has_row = y0 + row + (at >> side_bits) < out_height;
#pragma unroll
        for (int i = 0; i < 4; ++i) {
          const bool counts = has_row && col + (at & (plan.pool - 1)) + i % 2 < out_width;
          if (counts) largest[i / 2] = fmaxf(largest[i / 2], sums[i]);
        }
      }
      const bool stores = t % plan.pool == 0 && first + (per_mma == 2 ? t / 2 : 0) < n_windows;
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        float all = larger_of_lanes(largest[half], 1);
        if (plan.pool == 4) all = larger_of_lanes(all, 2);
        const int m = first_map + g + 8 * half;
        T* to = args.out + ((image * shape.maps + m) * plan.pooled_height + (y0 + row) / plan.pool) * plan.pooled_width;
        const T rounded = finished(args, all, bias[half]);
        if (stores && m < shape.maps) to[col / plan.pool] = rounded;
      }
    }
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
