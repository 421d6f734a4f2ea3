// Tensor-core convolution of any shape: an implicit matrix product, kernels [maps][n] times the unrolled images
// [n][pixels of all images], whose tiles are built in shared memory and never written to global memory.
//
//   block   64 maps x 128 pixels, 16 units of the n products of an output at a time
//   warp    32 maps x 32 pixels: 2 x 4 accumulator tiles of m16n8
//
// A unit is the content of a fragment register: one factor in tf32, two in float16. Factors are rounded, or split, on
// their way to shared memory. There units are rows, and a lane reads rows t and t + 4 of 8, as OperandA16x8 and
// OperandB8x8 (library/ptx/fragment.cuh) have it, in all precisions. The pitch of a row is a multiple of 32 banks plus
// 8, so that the loads of a warp hit all banks.
//
//   stage i   sync | load the factors of i + 1 to registers | multiply i | round and store those of i + 1
//
// Races: the barrier of stage i orders the stores of stage i before its reads, and all reads of stage i - 1 before the
// stores of stage i + 1 to the same buffer. The taps of stage i + 2 replace those of stage i, which were read before
// the barrier of stage i.
//
// The order of the n products is free. With many channels a stage has one tap and a range of channels, so that a
// pixel's position is computed once per stage; with fewer, products are ordered channel by channel as in the kernels'
// memory. The taps of these products are the same for the whole block: one thread per product computes them ahead.
// Bound by the instructions that copy factors to shared memory.
#pragma once

#include "conv/cuda/conv_mma_image.cuh"

namespace rafter::conv_ladder::RAFTER_BACKEND {

/// The compile-time policy. NOTES.md has its times (H200, "Tensor cores, any shape"); other sizes were not measured.
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
  static constexpr int pixel_units = units * pixels / threads;  // per thread
  static constexpr int map_units = units * maps / threads;
  static constexpr int part_words = units * (map_pitch + pixel_pitch);
  static constexpr int stage_words = n_parts * part_words;
  static constexpr int shared_bytes = 2 * 4 * stage_words;
};

/// The order of the products in stages.
struct MmaOrder {
  bool by_tap;           // a stage has one tap; otherwise products are ordered channel by channel
  int taps, n_channels;  // of a kernel
  int chunks;            // stages per tap
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

/// The offset of a product's pixel from the first one of an output's window.
struct MmaTap {
  std::int64_t offset;
  int row, col;
};

/// The tap of product k. Products past the last one get a row outside of every image.
__device__ inline MmaTap tap_of(const ConvShape& shape, int k) {
  const auto kernel_width = static_cast<int>(shape.kernel_width);
  const int taps = static_cast<int>(shape.kernel_height) * kernel_width;
  if (k >= shape.kernel()) return {0, 1 << 30, 0};
  const int row = k % taps / kernel_width;
  const int col = k % taps % kernel_width;
  return {(k / taps * shape.height + row) * shape.width + col, row, col};
}

/// The pixel whose column of the unrolled matrix a thread builds.
template <class T>
struct MmaPixel {
  const T* window;  // its first input, which may be outside of the image
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
  /// Whether the tap's pixel is inside the image.
  __device__ __forceinline__ bool has(const MmaTap& tap) const {
    return static_cast<unsigned>(y + tap.row) < static_cast<unsigned>(height) &&
           static_cast<unsigned>(x + tap.col) < static_cast<unsigned>(width);
  }
  __device__ __forceinline__ float factor(const MmaTap& tap) const {
    return has(tap) ? core::widen(window[tap.offset]) : 0.f;
  }
};

/// Rounds a unit's factors and stores them: the high parts, and the low ones in a separate part.
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

/// A thread's share of a stage, in registers between global and shared memory. Collective: all threads of the block
/// call load() and store().
template <class Tiles, class T>
struct MmaShare {
  float pixels[Tiles::pixel_units][Tiles::unit_products];
  float maps[Tiles::map_units][Tiles::unit_products];

  // Units thread / 128, + 2, + 4, ... of its pixel; unit thread % 16 of maps thread / 16, + 16, + 32, ...
  static constexpr int unit_step = Tiles::threads / Tiles::pixels;
  static constexpr int map_step = Tiles::threads / Tiles::units;

  __device__ __forceinline__ void load(const ConvArgs<T>& args, const MmaOrder& order, const MmaPixel<T>& pixel,
                                       const MmaTap* taps, std::int64_t first_map, int stage) {
    const int thread = static_cast<int>(threadIdx.x);
    const std::int64_t map = first_map + thread / Tiles::units;
    const int pixel_product = thread / Tiles::pixels * Tiles::unit_products;  // its first product of the stage
    const int map_product = thread % Tiles::units * Tiles::unit_products;
    if (order.by_tap) {
      const int tap = stage / order.chunks;
      const int channel = (stage - tap * order.chunks) * Tiles::products;
      const std::int64_t plane = args.shape.height * args.shape.width;
      const auto width = static_cast<int>(args.shape.kernel_width);
      const MmaTap first{tap / width * args.shape.width + tap % width, tap / width, tap % width};
      load_pixels(pixel.has(first), pixel.window + first.offset + (channel + pixel_product) * plane, plane,
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

  /// Loads factors `step` elements apart, zeros after the first `left` of them or if the tap is outside of the image.
  __device__ __forceinline__ void load_pixels(bool is_inside, const T* from, std::int64_t step, int left) {
#pragma unroll
    for (int i = 0; i < Tiles::pixel_units; ++i, from += (unit_step - 1) * Tiles::unit_products * step) {
#pragma unroll
      for (int k = 0; k < Tiles::unit_products; ++k, from += step)
        pixels[i][k] = is_inside && i * unit_step * Tiles::unit_products + k < left ? core::widen(*from) : 0.f;
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

/// A warp's 32 x 32 sums: map_tiles x pixel_tiles accumulator tiles.
template <class Tiles>
struct WarpProducts {
  using A = ptx::OperandA16x8;  // in units
  using B = ptx::OperandB8x8;
  static constexpr int map_tiles = 2;
  static constexpr int pixel_tiles = 4;
  Products<Tiles::split> tiles[map_tiles][pixel_tiles];

  /// Adds the products of a stage. Collective: all lanes of the warp.
  /// Lane 4 g + t passes g and t.
  __device__ __forceinline__ void add(const unsigned* stage, int warp_map, int warp_pixel, int g, int t) {
    // The units of register 0; those of the other registers are at the offsets that lane 0 has.
    const unsigned* maps = stage + t * Tiles::map_pitch + warp_map + g;
    const unsigned* pixels = stage + Tiles::units * Tiles::map_pitch + t * Tiles::pixel_pitch + warp_pixel + g;
#pragma unroll
    for (int k = 0; k < Tiles::units; k += A::depth) {
      unsigned a[map_tiles][Tiles::n_parts][A::registers];
      unsigned b[pixel_tiles][Tiles::n_parts][B::registers];
#pragma unroll
      for (int part = 0; part < Tiles::n_parts; ++part) {
#pragma unroll
        for (int tile = 0; tile < map_tiles; ++tile) {
#pragma unroll
          for (int i = 0; i < A::registers; ++i)
            a[tile][part][i] =
                maps[part * Tiles::part_words + (k + A::k(0, i)) * Tiles::map_pitch + tile * A::rows + A::row(0, i)];
        }
#pragma unroll
        for (int tile = 0; tile < pixel_tiles; ++tile) {
#pragma unroll
          for (int i = 0; i < B::registers; ++i)
            b[tile][part][i] =
                pixels[part * Tiles::part_words + (k + B::k(0, i)) * Tiles::pixel_pitch + tile * B::columns];
        }
      }
#pragma unroll
      for (int m = 0; m < map_tiles; ++m) {
#pragma unroll
        for (int p = 0; p < pixel_tiles; ++p) {
          if constexpr (Tiles::tf32) {
            ptx::mma_m16n8k8_tf32(tiles[m][p].high, a[m][0], b[p][0]);
          } else {
            tiles[m][p].add(a[m], b[p]);
          }
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
  const int g = ptx::quad_of(thread % 32);
  const int t = ptx::quad_lane(thread);
  const MmaOrder order = MmaOrder::of(shape, Tiles{});
  const MmaPixel<T> pixel(args, first_pixel + thread % Tiles::pixels, n_pixels);

  for (int i = thread; i < 2 * Tiles::products; i += Tiles::threads)
    taps[i / Tiles::products][i % Tiles::products] = tap_of(shape, i);
  __syncthreads();  // the taps of stages 0 and 1 are written
  MmaShare<Tiles, T> share;
  share.load(args, order, pixel, taps[0], first_map, 0);
  share.store(stages);
  WarpProducts<Tiles> products;
  for (int stage = 0; stage < order.n_stages; ++stage) {
    const int now = stage % 2;  // its buffer
    __syncthreads();  // this stage and the next one's taps are written, and all threads have read the previous stage
    const bool has_next = stage + 1 < order.n_stages;
    if (has_next) share.load(args, order, pixel, taps[1 - now], first_map, stage + 1);
    if (thread < Tiles::products && !order.by_tap)
      taps[now][thread] = tap_of(shape, (stage + 2) * Tiles::products + thread);
    products.add(stages + now * Tiles::stage_words, warp_map, warp_pixel, g, t);
    if (has_next) share.store(stages + (1 - now) * Tiles::stage_words);
  }

  using Sum = ptx::Accumulator16x8;
  constexpr int n_columns = WarpProducts<Tiles>::pixel_tiles * 2,
                n_rows = WarpProducts<Tiles>::map_tiles * 2;  // a lane's
  const std::int64_t plane = args.n_pixels();
#pragma unroll
  for (int c = 0; c < n_columns; ++c) {
    const int pixel_tile = c / 2, offset = c % 2;
    const std::int64_t at = first_pixel + warp_pixel + pixel_tile * Sum::columns + 2 * t + offset;
    if (at >= n_pixels) continue;
    T* to = args.out + at / plane * shape.maps * plane + at % plane;
#pragma unroll
    for (int r = 0; r < n_rows; ++r) {
      const int map_tile = r / 2, element = Sum::element(r % 2, offset);
      const std::int64_t m = first_map + warp_map + map_tile * Sum::rows + Sum::row(0, element) + g;
      if (m >= shape.maps) continue;
      const T result = finished(args, products.tiles[map_tile][pixel_tile].sum(element), bias_of(args, m));
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
