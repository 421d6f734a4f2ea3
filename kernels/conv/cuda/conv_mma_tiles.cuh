// Tensor-core convolution of any shape and precision: an implicit matrix product, kernels [maps][n] times the unrolled
// images [n][pixels of all images], whose tiles are made in shared memory and never written anywhere else.
//
//   a block   32 maps x 64 pixels, 16 of the n products of an output at a time
//   a warp    16 maps x 32 pixels: four accumulator tiles of m16n8
//
// Tiles are float32; a fragment is rounded, or split, when it is read, so that one kernel has all precisions.
#pragma once

#include "conv/cuda/conv_mma_image.cuh"

namespace rafter::conv_ladder::RAFTER_BACKEND {

struct MmaTiles {
  static constexpr int threads = 128;
  static constexpr int maps = 32;
  static constexpr int pixels = 64;
  static constexpr int depth = 16;
  static constexpr int map_pitch = depth + 1;
  static constexpr int pixel_pitch = pixels + 8;  // lanes t of a quad are 8 banks apart
};

/// One warp's 16 x 32 sums of a tile, in one of the precisions.
template <ConvPrecision Precision>
struct WarpProducts {
  static constexpr bool split = Precision == ConvPrecision::split_fp16;
  Products<split> tiles[4];

  __device__ __forceinline__ void add(const float* maps, const float* pixels, int g, int t) {
    const auto map = [&](int row, int k) { return maps[row * MmaTiles::map_pitch + k]; };
    const auto pixel = [&](int k, int col) { return pixels[k * MmaTiles::pixel_pitch + col]; };
    if constexpr (Precision == ConvPrecision::tf32) {
#pragma unroll
      for (int k = 0; k < MmaTiles::depth; k += 8) {
        const unsigned a[4] = {ptx::to_tf32(map(g, k + t)), ptx::to_tf32(map(g + 8, k + t)),
                               ptx::to_tf32(map(g, k + t + 4)), ptx::to_tf32(map(g + 8, k + t + 4))};
#pragma unroll
        for (int i = 0; i < 4; ++i) {
          const unsigned b[2] = {ptx::to_tf32(pixel(k + t, 8 * i + g)), ptx::to_tf32(pixel(k + t + 4, 8 * i + g))};
          ptx::mma_m16n8k8_tf32(tiles[i].high, a, b);
        }
      }
    } else {
      unsigned a[split ? 2 : 1][4];
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        const int row = g + i % 2 * 8;
        const int k = 2 * t + i / 2 * 8;
        const HalfPair pair = half_pair<split>(map(row, k), map(row, k + 1));
        a[0][i] = pair.high;
        if constexpr (split) a[1][i] = pair.low;
      }
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        unsigned b[split ? 2 : 1][2];
#pragma unroll
        for (int j = 0; j < 2; ++j) {
          const int k = 2 * t + 8 * j;
          const HalfPair pair = half_pair<split>(pixel(k, 8 * i + g), pixel(k + 1, 8 * i + g));
          b[0][j] = pair.high;
          if constexpr (split) b[1][j] = pair.low;
        }
        tiles[i].add(a, b);
      }
    }
  }
};

template <ConvPrecision Precision, class T>
__global__ void __launch_bounds__(MmaTiles::threads) conv_mma_tiles(ConvArgs<T> args) {
  __shared__ float maps[MmaTiles::maps * MmaTiles::map_pitch];
  __shared__ float pixels[MmaTiles::depth * MmaTiles::pixel_pitch];
  const ConvShape& shape = args.shape;
  const std::int64_t out_width = shape.out_width();
  const std::int64_t plane = shape.out_height() * out_width;
  const std::int64_t n_pixels = shape.batch * plane;
  const std::int64_t first_pixel = blockIdx.x * std::int64_t{MmaTiles::pixels};
  const std::int64_t first_map = blockIdx.y * std::int64_t{MmaTiles::maps};
  const int thread = static_cast<int>(threadIdx.x);
  const int g = thread % 32 / 4;
  const int t = thread % 4;
  const int warp_map = thread / 32 / 2 * 16;
  const int warp_pixel = thread / 32 % 2 * 32;

  // The pixel whose column of the unrolled matrix this thread fills.
  const int col = thread % MmaTiles::pixels;
  const std::int64_t mine = min(first_pixel + col, n_pixels - 1);
  const T* image = args.in + mine / plane * shape.image();
  const std::int64_t y = mine % plane / out_width - shape.pad_height;
  const std::int64_t x = mine % out_width - shape.pad_width;

  const auto n = static_cast<int>(shape.kernel());
  const auto kernel_width = static_cast<int>(shape.kernel_width);
  const auto taps = static_cast<int>(shape.kernel_height) * kernel_width;
  WarpProducts<Precision> products;
  for (int first = 0; first < n; first += MmaTiles::depth) {
    if (first > 0) __syncthreads();  // nobody reads the last tiles any more
    for (int i = thread; i < MmaTiles::maps * MmaTiles::depth; i += MmaTiles::threads) {
      const int k = first + i % MmaTiles::depth;
      const std::int64_t m = first_map + i / MmaTiles::depth;
      maps[i / MmaTiles::depth * MmaTiles::map_pitch + i % MmaTiles::depth] =
          m < shape.maps && k < n ? core::widen(args.kernels[m * n + k]) : 0.f;
    }
    for (int row = thread / MmaTiles::pixels; row < MmaTiles::depth; row += MmaTiles::threads / MmaTiles::pixels) {
      const int k = first + row;
      const int tap = k % taps;
      const std::int64_t in_y = y + tap / kernel_width;
      const std::int64_t in_x = x + tap % kernel_width;
      const bool is_there = k < n && in_y >= 0 && in_y < shape.height && in_x >= 0 && in_x < shape.width;
      pixels[row * MmaTiles::pixel_pitch + col] =
          is_there ? core::widen(image[(k / taps * shape.height + in_y) * shape.width + in_x]) : 0.f;
    }
    __syncthreads();  // both tiles are there
    products.add(maps + warp_map * MmaTiles::map_pitch, pixels + warp_pixel, g, t);
  }

#pragma unroll
  for (int i = 0; i < 4; ++i) {
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      const std::int64_t m = first_map + warp_map + g + j / 2 * 8;
      const std::int64_t at = first_pixel + warp_pixel + 8 * i + 2 * t + j % 2;
      if (m >= shape.maps || at >= n_pixels) continue;
      args.out[(at / plane * shape.maps + m) * plane + at % plane] =
          finished(args, products.tiles[i].sum(j), bias_of(args, m));
    }
  }
}

template <ConvPrecision Precision, class T>
void run_mma_tiles(const Stream& stream, const ConvArgs<T>& args) {
  const std::int64_t n_pixels = args.shape.batch * args.n_pixels();
  const core::Grid blocks(ceil_div(n_pixels, MmaTiles::pixels));
  core::launch(conv_mma_tiles<Precision, T>,
               dim3(blocks.blocks.x, static_cast<unsigned>(ceil_div(args.shape.maps, MmaTiles::maps))),
               MmaTiles::threads, 0, stream, args);
}

}  // namespace rafter::conv_ladder::RAFTER_BACKEND
