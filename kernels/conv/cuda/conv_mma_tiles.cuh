// Tensor-core convolution of any shape: an implicit matrix product, kernels [maps][n] times the unrolled images
// [n][pixels of all images], whose tiles are made in shared memory and never written anywhere else.
//
//   a block   64 maps x 128 pixels, 16 units of the n products of an output at a time
//   a warp    32 maps x 32 pixels: 2 x 4 accumulator tiles of m16n8
//
// A unit is what a register of a fragment holds: one product's factor in tf32, two products' in float16. Factors are
// rounded, or split, on their way to shared memory; there units are rows, and a lane's registers are rows t and t + 4
// of 8, so that all precisions read alike. Rows are 8 banks apart from a multiple of 32: a warp's loads meet all of
// them.
//
//   stage i   load the factors of i + 1 to registers | multiply i | round and store those of i + 1 | sync
//
// The order of the n products is ours. With many channels a stage has one tap and as many channels as it takes, so that
// a pixel's place is worked out once a stage; with fewer, channel by channel as kernels lie in memory. Where those
// products' pixels are is the same for the whole block: 32 threads work it out one stage ahead.
#pragma once

#include "conv/cuda/conv_mma_image.cuh"

namespace rafter::conv_ladder::RAFTER_BACKEND {

template <ConvPrecision Precision>
struct MmaTiles {
  static constexpr bool tf32 = Precision == ConvPrecision::tf32;
  static constexpr bool split = Precision == ConvPrecision::split_fp16;
  static constexpr int n_parts = split ? 2 : 1;
  static constexpr int threads = 256;
  static constexpr int maps = 64;
  static constexpr int pixels = 128;
  static constexpr int units = 16;
  static constexpr int unit_products = tf32 ? 1 : 2;
  static constexpr int products = units * unit_products;  // of a stage
  static constexpr int map_pitch = maps + 8;
  static constexpr int pixel_pitch = pixels + 8;
  static constexpr int pixel_units = units * pixels / threads;  // of a thread
  static constexpr int map_units = units * maps / threads;
  static constexpr int part_words = units * (map_pitch + pixel_pitch);
  static constexpr int stage_words = n_parts * part_words;
  static constexpr int shared_bytes = 2 * 4 * stage_words;
};

/// The stages of all products.
struct MmaOrder {
  bool by_tap;           // or channel by channel
  int taps, n_channels;  // of a kernel
  int chunks;            // stages of a tap
  int n_stages;

  template <class Tiles>
  __device__ static MmaOrder of(const ConvShape& shape, Tiles) {
    const auto taps = static_cast<int>(shape.kernel_height * shape.kernel_width);
    const auto n_channels = static_cast<int>(shape.channels);
    const int chunks = (n_channels + Tiles::products - 1) / Tiles::products;
    const bool by_tap = n_channels >= Tiles::products;
    return {by_tap, taps, n_channels, chunks,
            by_tap ? taps * chunks : (taps * n_channels + Tiles::products - 1) / Tiles::products};
  }
};

/// Where a product's pixel lies, from the first one of an output's window.
struct MmaTap {
  std::int64_t offset;
  int row, col;
};

/// The tap of product k. One behind the last is outside of every image.
__device__ inline MmaTap tap_of(const ConvShape& shape, int k) {
  const auto kernel_width = static_cast<int>(shape.kernel_width);
  const int taps = static_cast<int>(shape.kernel_height) * kernel_width;
  if (k >= shape.kernel()) return {0, 1 << 30, 0};
  const int row = k % taps / kernel_width;
  const int col = k % taps % kernel_width;
  return {(k / taps * shape.height + row) * shape.width + col, row, col};
}

/// The pixel whose column of the unrolled matrix a thread makes.
template <class T>
struct MmaPixel {
  const T* window;  // its first input, which may lie outside of the image
  int y, x;
  int height, width;

  __device__ MmaPixel(const ConvArgs<T>& args, std::int64_t index, std::int64_t n_pixels)
      : height(static_cast<int>(args.shape.height)), width(static_cast<int>(args.shape.width)) {
    const std::int64_t plane = args.n_pixels();
    const std::int64_t at = min(index, n_pixels - 1);
    y = static_cast<int>(at % plane / args.shape.out_width() - args.shape.pad_height);
    x = static_cast<int>(at % plane % args.shape.out_width() - args.shape.pad_width);
    window = args.in + at / plane * args.shape.image() + static_cast<std::int64_t>(y) * width + x;
  }
  __device__ __forceinline__ bool is_there(const MmaTap& tap) const {
    return static_cast<unsigned>(y + tap.row) < static_cast<unsigned>(height) &&
           static_cast<unsigned>(x + tap.col) < static_cast<unsigned>(width);
  }
  __device__ __forceinline__ float factor(const MmaTap& tap) const {
    return is_there(tap) ? core::widen(window[tap.offset]) : 0.f;
  }
};

/// Rounds a unit's factors and stores them: the high parts, and the low ones in a part of their own.
template <class Tiles>
__device__ __forceinline__ void store_unit(const float (&factors)[Tiles::unit_products], unsigned* to) {
  if constexpr (Tiles::tf32) {
    *to = ptx::to_tf32(factors[0]);
  } else {
    const HalfPair pair = half_pair<Tiles::split>(factors[0], factors[1]);
    to[0] = pair.high;
    if constexpr (Tiles::split) to[Tiles::part_words] = pair.low;
  }
}

/// A thread's share of a stage, on its way from global to shared memory.
template <class Tiles, class T>
struct MmaShare {
  float pixels[Tiles::pixel_units][Tiles::unit_products];
  float maps[Tiles::map_units][Tiles::unit_products];

  // Its pixel's every second unit; one unit of every 16th map.
  static constexpr int unit_step = Tiles::threads / Tiles::pixels;
  static constexpr int map_step = Tiles::threads / Tiles::units;

  __device__ __forceinline__ void load(const ConvArgs<T>& args, const MmaOrder& order, const MmaPixel<T>& pixel,
                                       const MmaTap* taps, std::int64_t first_map, int stage) {
    const int thread = static_cast<int>(threadIdx.x);
    const std::int64_t map = first_map + thread / Tiles::units;
    const int pixel_product = thread / Tiles::pixels * Tiles::unit_products;  // of the stage, its first
    const int map_product = thread % Tiles::units * Tiles::unit_products;
    if (order.by_tap) {
      const int tap = stage / order.chunks;
      const int channel = (stage - tap * order.chunks) * Tiles::products;
      const std::int64_t plane = args.shape.height * args.shape.width;
      const auto width = static_cast<int>(args.shape.kernel_width);
      const MmaTap first{tap / width * args.shape.width + tap % width, tap / width, tap % width};
      load_pixels(pixel.is_there(first), pixel.window + first.offset + (channel + pixel_product) * plane, plane,
                  order.n_channels - channel - pixel_product);
      load_maps(args, map, (channel + map_product) * order.taps + tap, order.taps,
                order.n_channels - channel - map_product);
    } else {
#pragma unroll
      for (int i = 0; i < Tiles::pixel_units; ++i) {
#pragma unroll
        for (int k = 0; k < Tiles::unit_products; ++k)
          pixels[i][k] = pixel.factor(taps[pixel_product + i * unit_step * Tiles::unit_products + k]);
      }
      const int product = stage * Tiles::products + map_product;
      load_maps(args, map, product, 1, order.taps * order.n_channels - product);
    }
  }

  /// Factors `step` elements apart, of which `left` are there.
  __device__ __forceinline__ void load_pixels(bool is_there, const T* from, std::int64_t step, int left) {
#pragma unroll
    for (int i = 0; i < Tiles::pixel_units; ++i, from += (unit_step - 1) * Tiles::unit_products * step) {
#pragma unroll
      for (int k = 0; k < Tiles::unit_products; ++k, from += step)
        pixels[i][k] = is_there && i * unit_step * Tiles::unit_products + k < left ? core::widen(*from) : 0.f;
    }
  }
  __device__ __forceinline__ void load_maps(const ConvArgs<T>& args, std::int64_t map, std::int64_t first, int step,
                                            int left) {
    const T* from = args.kernels + map * args.shape.kernel() + first;
#pragma unroll
    for (int i = 0; i < Tiles::map_units; ++i, from += map_step * args.shape.kernel()) {
#pragma unroll
      for (int k = 0; k < Tiles::unit_products; ++k)
        maps[i][k] = map + i * map_step < args.shape.maps && k < left ? core::widen(from[k * step]) : 0.f;
    }
  }

  __device__ __forceinline__ void store(unsigned* stage) const {
    const int thread = static_cast<int>(threadIdx.x);
#pragma unroll
    for (int i = 0; i < Tiles::map_units; ++i)
      store_unit<Tiles>(maps[i],
                        stage + thread % Tiles::units * Tiles::map_pitch + thread / Tiles::units + i * map_step);
    stage += Tiles::units * Tiles::map_pitch;
#pragma unroll
    for (int i = 0; i < Tiles::pixel_units; ++i)
      store_unit<Tiles>(pixels[i],
                        stage + (thread / Tiles::pixels + i * unit_step) * Tiles::pixel_pitch + thread % Tiles::pixels);
  }
};

/// One warp's 32 x 32 sums.
template <class Tiles>
struct WarpProducts {
  Products<Tiles::split> tiles[2][4];

  __device__ __forceinline__ void add(const unsigned* stage, int warp_map, int warp_pixel, int g, int t) {
    const unsigned* maps = stage + t * Tiles::map_pitch + warp_map + g;
    const unsigned* pixels = stage + Tiles::units * Tiles::map_pitch + t * Tiles::pixel_pitch + warp_pixel + g;
#pragma unroll
    for (int k = 0; k < Tiles::units; k += 8) {
      unsigned a[2][Tiles::n_parts][4];
      unsigned b[4][Tiles::n_parts][2];
#pragma unroll
      for (int part = 0; part < Tiles::n_parts; ++part) {
#pragma unroll
        for (int i = 0; i < 8; ++i)
          a[i / 4][part][i % 4] =
              maps[part * Tiles::part_words + (k + i % 4 / 2 * 4) * Tiles::map_pitch + i / 4 * 16 + i % 2 * 8];
#pragma unroll
        for (int i = 0; i < 8; ++i)
          b[i / 2][part][i % 2] = pixels[part * Tiles::part_words + (k + i % 2 * 4) * Tiles::pixel_pitch + i / 2 * 8];
      }
#pragma unroll
      for (int i = 0; i < 8; ++i) {
        if constexpr (Tiles::tf32) {
          ptx::mma_m16n8k8_tf32(tiles[i / 4][i % 4].high, a[i / 4][0], b[i % 4][0]);
        } else {
          tiles[i / 4][i % 4].add(a[i / 4], b[i % 4]);
        }
      }
    }
  }
};

template <class Tiles, class T>
__global__ void __launch_bounds__(Tiles::threads, Tiles::split ? 1 : 2) conv_mma_tiles(ConvArgs<T> args) {
  __shared__ MmaTap taps[2][Tiles::products];
  unsigned* stages = core::dynamic_shared<unsigned>();
  const ConvShape& shape = args.shape;
  const std::int64_t n_pixels = shape.batch * args.n_pixels();
  const std::int64_t first_map = blockIdx.y * std::int64_t{Tiles::maps};
  const std::int64_t first_pixel = blockIdx.x * std::int64_t{Tiles::pixels};
  const int thread = static_cast<int>(threadIdx.x);
  const int warp_map = thread / 32 % 2 * 32;
  const int warp_pixel = thread / 64 * 32;
  const int g = thread % 32 / 4;
  const int t = thread % 4;
  const MmaOrder order = MmaOrder::of(shape, Tiles{});
  const MmaPixel<T> pixel(args, first_pixel + thread % Tiles::pixels, n_pixels);

  for (int i = thread; i < 2 * Tiles::products; i += Tiles::threads)
    taps[i / Tiles::products][i % Tiles::products] = tap_of(shape, i);
  __syncthreads();  // the taps of stages 0 and 1 are there
  MmaShare<Tiles, T> share;
  share.load(args, order, pixel, taps[0], first_map, 0);
  share.store(stages);
  WarpProducts<Tiles> products;
  for (int stage = 0; stage < order.n_stages; ++stage) {
    const int now = stage % 2;  // its buffer
    __syncthreads();  // this stage and the next one's taps are there, and nobody reads the last stage any more
    const bool has_next = stage + 1 < order.n_stages;
    if (has_next) share.load(args, order, pixel, taps[1 - now], first_map, stage + 1);
    if (thread < Tiles::products && !order.by_tap)
      taps[now][thread] = tap_of(shape, (stage + 2) * Tiles::products + thread);
    products.add(stages + now * Tiles::stage_words, warp_map, warp_pixel, g, t);
    if (has_next) share.store(stages + (1 - now) * Tiles::stage_words);
  }

  const std::int64_t plane = args.n_pixels();
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    const std::int64_t at = first_pixel + warp_pixel + i / 2 * 8 + 2 * t + i % 2;
    if (at >= n_pixels) continue;
    T* to = args.out + at / plane * shape.maps * plane + at % plane;
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      const std::int64_t m = first_map + warp_map + j / 2 * 16 + j % 2 * 8 + g;
      if (m >= shape.maps) continue;
      const T result = finished(args, products.tiles[j / 2][i / 2].sum(j % 2 * 2 + i % 2), bias_of(args, m));
      to[m * plane] = result;
    }
  }
}

template <ConvPrecision Precision, class T>
void run_mma_tiles(const Stream& stream, const ConvArgs<T>& args) {
  using Tiles = MmaTiles<Precision>;
  const std::int64_t n_pixels = args.shape.batch * args.n_pixels();
  const core::Grid blocks(ceil_div(n_pixels, Tiles::pixels));
  core::allow_shared(conv_mma_tiles<Tiles, T>, Tiles::shared_bytes);
  core::launch(conv_mma_tiles<Tiles, T>,
               dim3(blocks.blocks.x, static_cast<unsigned>(ceil_div(args.shape.maps, Tiles::maps))), Tiles::threads,
               Tiles::shared_bytes, stream, args);
}

}  // namespace rafter::conv_ladder::RAFTER_BACKEND
