// Tensor-core convolution of one channel and up to 4 maps at a time, kernels of up to 7 x 7.
//
// Four maps alone would waste twelve of the sixteen rows of an mma. Therefore a row is a map at one of four adjacent
// output rows, the products of a column are those of K + 3 input rows, and two sets of weights give the even and the
// odd pixels from the same fragment of pixels:
//
//   rows     (map m, output row y + s), m and s of 0..3: row 4 m + s has kernel row r - s at input row r
//   columns  pixel pairs x + 2 g, x + 2 g + 1 of column g
//   products offset o of 0..7 along x, of input rows 2 j and 2 j + 1 in step j: 5 steps for 7 x 7
//            the even pixel has tap o, the odd one tap o - 1
//
// An even offset of an even pixel is 4-byte aligned, so a fragment is two 4-byte loads, and serves two mma. A lane ends
// with four adjacent pixels of a row: stores of 16 bytes, 64 contiguous bytes per quad. Bound by memory: an image is
// read once and its maps are written once.
#pragma once

#include "conv/cuda/conv_mma_image.cuh"

namespace rafter::conv_ladder::RAFTER_BACKEND {

template <int Kernel, bool Split>
struct SingleMma {
  static_assert(Kernel <= 7);
  static constexpr int kernel = Kernel;
  static constexpr bool split = Split;
  static constexpr int n_parts = Split ? 2 : 1;
  static constexpr int n_steps = (Kernel + 4) / 2;
  static constexpr int threads = 256;
  static constexpr int pixel_bytes = 2 * n_parts;
  static constexpr int maps = 4;
  static constexpr int tile_cols = 16;
  static constexpr int tile_rows = 4;
};

/// Pools four pixels of a row: a lane has those of row g % 4, other lanes those of the adjacent rows. Each window's
/// first lane stores. Collective: all lanes of the warp.
template <class T>
__device__ __forceinline__ void store_pooled_row(const ConvArgs<T>& args, const MmaPlan& plan, std::int64_t image,
                                                 int map, int row, int col, const float (&sums)[4], float bias) {
  float largest[2] = {fmaxf(sums[0], sums[1]), fmaxf(sums[2], sums[3])};
  if (row >= args.shape.out_height()) {
    largest[0] = largest[1] = -INFINITY;
  } else if (col + 4 > args.shape.out_width()) {
    const auto counts = [&](int i) { return col + i < args.shape.out_width() ? sums[i] : -INFINITY; };
    largest[0] = fmaxf(counts(0), counts(1));
    largest[1] = fmaxf(counts(2), counts(3));
  }
  largest[0] = larger_of_lanes(largest[0], 4);  // lane 4 g + t exchanges with the lane of row g ^ 1
  largest[1] = larger_of_lanes(largest[1], 4);
  const std::int64_t plane = static_cast<std::int64_t>(plan.pooled_height) * plan.pooled_width;
  const int y = row / plan.pool;
  const int x = col / plan.pool;
  if (plan.pool == 4) largest[0] = larger_of_lanes(fmaxf(largest[0], largest[1]), 8);
  if (row % plan.pool != 0 || map >= args.shape.maps || y >= plan.pooled_height) return;
  T* to = args.out + (image * args.shape.maps + map) * plane + y * plan.pooled_width + x;
#pragma unroll
  for (int i = 0; i < 2; ++i) {
    const T rounded = finished(args, largest[i], bias);
    if (i < 4 / plan.pool && x + i < plan.pooled_width) to[i] = rounded;
  }
}

template <class Mma, class T>
__global__ void __launch_bounds__(Mma::threads, 2) conv_mma_single(ConvArgs<T> args, MmaPlan plan) {
  T* copied = core::dynamic_shared<T>();
  Half* halves = reinterpret_cast<Half*>(reinterpret_cast<char*>(copied) + plan.floats_bytes);
  const int part_pixels = plan.halves_rows * plan.pitch;
  const ConvShape& shape = args.shape;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int g = ptx::quad_of(lane);
  const int t = ptx::quad_lane(lane);
  const int first_map = static_cast<int>(blockIdx.y) * Mma::maps;

  unsigned weights[Mma::n_steps][2][Mma::n_parts][4];  // for the even and the odd pixels
#pragma unroll
  for (int step = 0; step < Mma::n_steps; ++step) {
#pragma unroll
    for (int odd = 0; odd < 2; ++odd) {
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        const int row = g + ptx::OperandA16x16::row(0, i);
        const int p = 2 * step + ptx::OperandA16x16::depth_half(i) - row % 4;
        const int q = 2 * t - odd;
        const int m = first_map + row / 4;
        const HalfPair pair = half_pair<Mma::split>(weight_of(args, m, 0, p, q), weight_of(args, m, 0, p, q + 1));
        weights[step][odd][0][i] = pair.high;
        if constexpr (Mma::split) weights[step][odd][1][i] = pair.low;
      }
    }
  }
  const float bias[2] = {bias_of(args, first_map + g / 4), bias_of(args, first_map + g / 4 + 2)};

  const unsigned n_items = plan.n_items;
  const auto out_width = static_cast<int>(shape.out_width());
  const auto out_height = static_cast<int>(shape.out_height());
  const int n_tile_cols = static_cast<int>(ceil_div(out_width, Mma::tile_cols));
  const std::int64_t plane = static_cast<std::int64_t>(out_height) * out_width;
  unsigned item = blockIdx.x;
  if (item < n_items) copy_rows(args, plan, item, copied);
  for (; item < n_items; item += gridDim.x) {
    const unsigned image = item / plan.n_tiles;
    const int tile = static_cast<int>(item % plan.n_tiles);
    ptx::copy_async_wait<0>();
    __syncthreads();  // all copies are complete, and all threads have read the previous halves
    for_pixels(args, plan, tile, copied, [&](int row, int col, auto&& pixel) {
      halves[row * plan.pitch + col] = high_part(pixel(0));
      if constexpr (Mma::split) halves[part_pixels + row * plan.pitch + col] = low_part(pixel(0));
    });
    __syncthreads();  // the halves are written, and all threads have read the floats
    if (item + gridDim.x < n_items) copy_rows(args, plan, item + gridDim.x, copied);

    const int y0 = tile * plan.tile_rows;
    const int n_tile_rows = static_cast<int>(ceil_div(min(plan.tile_rows, out_height - y0), Mma::tile_rows));
    T* out = args.out + image * shape.maps * plane;
    for (int at = static_cast<int>(threadIdx.x) / 32; at < n_tile_rows * n_tile_cols; at += Mma::threads / 32) {
      const int y = at / n_tile_cols * Mma::tile_rows;
      const int x = at % n_tile_cols * Mma::tile_cols;
      const Half* pixels = halves + y * plan.pitch + x + 2 * g + 2 * t;
      Products<Mma::split> even;
      Products<Mma::split> odd;
#pragma unroll
      for (int step = 0; step < Mma::n_steps; ++step) {
        unsigned values[Mma::n_parts][2];
#pragma unroll
        for (int part = 0; part < Mma::n_parts; ++part) {
          const Half* from = pixels + part * part_pixels + 2 * step * plan.pitch;
          values[part][0] = *reinterpret_cast<const unsigned*>(from);
          values[part][1] = *reinterpret_cast<const unsigned*>(from + plan.pitch);
        }
        even.add(weights[step][0], values);
        odd.add(weights[step][1], values);
      }
      const int row = y0 + y + g % 4;
      const int col = x + 4 * t;
      if (plan.pool > 1) {
#pragma unroll
        for (int half = 0; half < 2; ++half) {
          const int left = ptx::Accumulator16x8::element(half, 0), right = ptx::Accumulator16x8::element(half, 1);
          const float sums[4] = {even.sum(left), odd.sum(left), even.sum(right), odd.sum(right)};
          store_pooled_row(args, plan, image, first_map + g / 4 + 2 * half, row, col, sums, bias[half]);
        }
        continue;
      }
      if (row >= out_height) continue;
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        const int m = first_map + g / 4 + 2 * half;
        if (m >= shape.maps) continue;
        struct alignas(4 * sizeof(T)) Four {
          T elements[4];
        };
        const int left = ptx::Accumulator16x8::element(half, 0), right = ptx::Accumulator16x8::element(half, 1);
        const Four four{{finished(args, even.sum(left), bias[half]), finished(args, odd.sum(left), bias[half]),
                         finished(args, even.sum(right), bias[half]), finished(args, odd.sum(right), bias[half])}};
        T* to = out + m * plane + static_cast<std::int64_t>(row) * out_width + col;
        if (reinterpret_cast<std::uintptr_t>(to) % sizeof(Four) == 0 && col + 4 <= out_width) {
          *reinterpret_cast<Four*>(to) = four;
        } else {
#pragma unroll
          for (int i = 0; i < 4; ++i) {
            if (col + i < out_width) to[i] = four.elements[i];
          }
        }
      }
    }
  }
}

/// Runs the kernel. Returns false, without a launch, for more than one channel or images that do not fit.
template <int Kernel, bool Split, class T>
bool run_mma_single(const Stream& stream, const ConvArgs<T>& args) {
  using Mma = SingleMma<Kernel, Split>;
  // Rows have whole tiles; their last products read up to row 2 * n_steps and column 22 from the tile's first pixel.
  const auto spare_cols = static_cast<int>(ceil_div(args.shape.out_width(), 16) * 16 - args.shape.out_width()) + 6;
  MmaPlan plan = mma_plan(args, Mma::tile_rows, 2 * Mma::n_steps - Kernel - 3, spare_cols, Mma::pixel_bytes,
                          core::tuned(mma_shared_kib) << 10);
  if (plan.tile_rows == 0 || args.shape.channels > 1) return false;
  plan.pitch += plan.pitch % 2;
  launch_mma<Mma>(stream, conv_mma_single<Mma, T>, args, plan);
  return true;
}

}  // namespace rafter::conv_ladder::RAFTER_BACKEND
