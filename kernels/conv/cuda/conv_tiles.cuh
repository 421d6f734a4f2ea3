// The fused convolution with its sizes as template parameters: tiles of the kernels, [depth][maps], and of the unrolled
// matrix, [depth][pixels], in shared memory; several maps x several pixels per thread in registers. Bound by the
// address computations of the unrolled tile and by shared-memory loads. Races: a barrier before each tile orders the
// reads of the previous one before its writes, another one orders its writes before its reads.
#pragma once

#include "conv/cuda/conv_unrolled.cuh"

namespace rafter::conv_ladder::RAFTER_BACKEND {

/// The sizes. `Stored` is the element type of the tiles; a thread has ThreadMaps x ThreadPixels sums.
template <class Stored, int Maps, int Pixels, int Depth, int ThreadMaps, int ThreadPixels>
struct ConvTiles {
  using Storage = Stored;
  static constexpr int maps = Maps;
  static constexpr int pixels = Pixels;
  static constexpr int depth = Depth;
  static constexpr int thread_maps = ThreadMaps;
  static constexpr int thread_pixels = ThreadPixels;
  static constexpr int threads_x = Pixels / ThreadPixels;
  static constexpr int threads = threads_x * (Maps / ThreadMaps);
  static_assert(threads % Pixels == 0, "a thread fills one column of the unrolled tile");
};

template <class Tiles, class T>
__global__ void __launch_bounds__(Tiles::threads) conv_tiles(ConvArgs<T> args) {
  using Storage = typename Tiles::Storage;
  __shared__ Storage left[Tiles::depth][Tiles::maps];
  __shared__ Storage right[Tiles::depth][Tiles::pixels];
  const ConvShape& shape = args.shape;
  const std::int64_t width = shape.out_width();
  const std::int64_t plane = shape.out_height() * width;
  const std::int64_t n_pixels = shape.batch * plane;
  const std::int64_t first_map = blockIdx.y * std::int64_t{Tiles::maps};
  const std::int64_t first_pixel = blockIdx.x * std::int64_t{Tiles::pixels};
  const int thread = static_cast<int>(threadIdx.x);
  const int x = thread % Tiles::threads_x;
  const int y = thread / Tiles::threads_x;

  // The pixel whose column this thread fills; its position is computed once.
  const int col = thread % Tiles::pixels;
  const std::int64_t mine = min(first_pixel + col, n_pixels - 1);
  const T* image = args.in + mine / plane * shape.image();
  const auto in_y = static_cast<int>(mine % plane / width - shape.pad_height);
  const auto in_x = static_cast<int>(mine % width - shape.pad_width);
  const auto depth = static_cast<int>(shape.kernel());
  const auto kernel_width = static_cast<int>(shape.kernel_width);
  const int taps = static_cast<int>(shape.kernel_height) * kernel_width;

  float sums[Tiles::thread_maps][Tiles::thread_pixels] = {};
  for (int first = 0; first < depth; first += Tiles::depth) {
    if (first > 0) __syncthreads();  // all threads have read the previous tiles
    for (int i = thread; i < Tiles::maps * Tiles::depth; i += Tiles::threads) {
      const int k = first + i % Tiles::depth;
      const std::int64_t m = first_map + i / Tiles::depth;
      const auto weight =
          core::round_to<Storage>(m < shape.maps && k < depth ? core::widen(args.kernels[m * depth + k]) : 0.f);
      left[i % Tiles::depth][i / Tiles::depth] = weight;
    }
    for (int row = thread / Tiles::pixels; row < Tiles::depth; row += Tiles::threads / Tiles::pixels) {
      const int k = first + row;
      const int p = in_y + k % taps / kernel_width;
      const int q = in_x + k % kernel_width;
      const bool is_inside = k < depth && p >= 0 && p < shape.height && q >= 0 && q < shape.width;
      const auto pixel = core::round_to<Storage>(
          is_inside ? core::widen(image[(k / taps * shape.height + p) * shape.width + q]) : 0.f);
      right[row][col] = pixel;
    }
    __syncthreads();  // both tiles are written
#pragma unroll
    for (int k = 0; k < Tiles::depth; ++k) {
      float weights[Tiles::thread_maps];
#pragma unroll
      for (int m = 0; m < Tiles::thread_maps; ++m) weights[m] = core::widen(left[k][y * Tiles::thread_maps + m]);
#pragma unroll
      for (int i = 0; i < Tiles::thread_pixels; ++i) {
        const float pixel = core::widen(right[k][x + i * Tiles::threads_x]);
#pragma unroll
        for (int m = 0; m < Tiles::thread_maps; ++m) sums[m][i] += weights[m] * pixel;
      }
    }
  }
#pragma unroll
  for (int m = 0; m < Tiles::thread_maps; ++m) {
#pragma unroll
    for (int i = 0; i < Tiles::thread_pixels; ++i) {
      const std::int64_t map = first_map + y * Tiles::thread_maps + m;
      const std::int64_t at = first_pixel + x + i * Tiles::threads_x;
      if (map < shape.maps && at < n_pixels) *output_of(args, map, at) = core::round_to<T>(sums[m][i]);
    }
  }
}

template <class Tiles, class T>
void run_conv_tiles(const Stream& stream, const ConvArgs<T>& args) {
  const core::Grid columns(ceil_div(args.shape.batch * args.n_pixels(), Tiles::pixels));
  core::launch(conv_tiles<Tiles, T>,
               dim3(columns.blocks.x, static_cast<unsigned>(ceil_div(args.shape.maps, Tiles::maps))), Tiles::threads, 0,
               stream, args);
}

/// The best tiles of a sweep on an H200, for up to 4 maps and for more (LeNet's layers 1 and 2; README.md has the
/// times).
template <class Storage>
struct SweptTiles {
  using Few = ConvTiles<Storage, 4, 256, 16, 4, 1>;
  using Many = ConvTiles<Storage, 16, 128, 16, 8, 2>;
};
template <class Storage, class T>
void run_swept_tiles(const Stream& stream, const ConvArgs<T>& args) {
  if (args.out_elements() == 0) return;
  args.shape.maps <= 4 ? run_conv_tiles<typename SweptTiles<Storage>::Few>(stream, args)
                       : run_conv_tiles<typename SweptTiles<Storage>::Many>(stream, args);
}

}  // namespace rafter::conv_ladder::RAFTER_BACKEND
