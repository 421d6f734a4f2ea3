// Convolution with adjacent pixels in the lanes: a block is 4 maps x vectors of a row. A vector of pixels is loaded for
// 4 multiply-adds, a weight for as many as the block has vectors. For few maps, and rows of whole vectors.
#pragma once

#include <utility>

#include "conv/conv_simd.hpp"
#include "conv/cpu/conv_vectors.hpp"

namespace rafter::conv_ladder::cpu {

namespace {

constexpr int pixel_maps = group_maps(Lanes::pixels);
constexpr int most_vectors = n_registers == 32 ? 6 : 3;  // of a block, which needs pixel_maps times as many registers

/// Computes `Vectors` vectors of pixels of one row from `x` on, and stores the first `n` pixels.
template <int Vectors>
void pixels_block(const ConvBand& band, std::int64_t row, std::int64_t x, std::int64_t n, const ConvPlanes& out) {
  Vector sums[pixel_maps][Vectors];
  RAFTER_UNROLL
  for (int i = 0; i < pixel_maps * Vectors; ++i) sums[i / Vectors][i % Vectors] = Vector{};
  const float* weights = band.kernels;
  for (std::int64_t c = 0; c < band.channels; ++c) {
    for (std::int64_t p = 0; p < band.kernel_height; ++p) {
      const float* pixels = band.in + c * band.in_plane + (row + p) * band.in_pitch + x;
      for (std::int64_t q = 0; q < band.kernel_width; ++q, ++pixels, weights += pixel_maps) {
        Vector some[Vectors];
        RAFTER_UNROLL
        for (int v = 0; v < Vectors; ++v) some[v] = load(pixels + v * n_lanes);
        RAFTER_UNROLL
        for (int m = 0; m < pixel_maps; ++m) {
          const Vector weight = in_all_lanes(weights[m]);
          RAFTER_UNROLL
          for (int v = 0; v < Vectors; ++v) sums[m][v] = core::fma(some[v], weight, sums[m][v]);
        }
      }
    }
  }
  RAFTER_UNROLL
  for (int m = 0; m < pixel_maps; ++m) {
    if (m >= out.n_maps) break;
    const Vector bias = in_all_lanes(band.bias[m]);
    float* to = out.data + m * out.plane + row * out.pitch + x;
    RAFTER_UNROLL
    for (int v = 0; v < Vectors; ++v)
      store_some(to + v * n_lanes, finished(sums[m][v], bias, band.relu), n - v * n_lanes);
  }
}

using PixelsBlock = void (*)(const ConvBand&, std::int64_t, std::int64_t, std::int64_t, const ConvPlanes&);

template <class>
struct PixelsBlocks;
template <int... I>
struct PixelsBlocks<std::integer_sequence<int, I...>> {
  static constexpr PixelsBlock of_vectors[] = {nullptr, pixels_block<I + 1>...};
};

void pixels(const ConvBand& band, const ConvPlanes& out) {
  using Blocks = PixelsBlocks<std::make_integer_sequence<int, most_vectors>>;
  for (std::int64_t row = 0; row < band.n_rows; ++row) {
    std::int64_t x = 0;
    for (std::int64_t left = pieces(band.width, n_lanes); left > 0;) {
      const std::int64_t vectors = pieces(left, pieces(left, most_vectors));  // the fewest blocks, of nearly equal size
      // The last block overlaps the previous one if possible: it computes the same values again.
      if (vectors == left && band.width >= vectors * n_lanes) x = band.width - vectors * n_lanes;
      Blocks::of_vectors[vectors](band, row, x, smaller(vectors * n_lanes, band.width - x), out);
      left -= vectors;
      x += vectors * n_lanes;
    }
  }
}

/// Pools the rows of a window first, in a loop that vectorises, then its columns.
void pool_pixels(const ConvPlanes& in, const ConvWindows& windows, const ConvPlanes& out) {
  for (std::int64_t m = 0; m < out.n_maps; ++m) {
    for (std::int64_t row = 0; row < windows.n_out_rows; ++row) {
      const std::int64_t y = row * windows.stride;
      float* line = in.data + m * in.plane + y * in.pitch;
      for (std::int64_t i = 1; i < smaller(windows.size, windows.n_rows - y); ++i) {
        for (std::int64_t x = 0; x < windows.width; ++x) {
          const float other = line[i * in.pitch + x];
          line[x] = other > line[x] ? other : line[x];
        }
      }
      float* to = out.data + m * out.plane + row * out.pitch;
      if (windows.size == 1 && windows.stride == 1) {
        __builtin_memcpy(to, line, static_cast<std::size_t>(windows.width) * sizeof(float));
        continue;
      }
      for (std::int64_t x = 0; x < windows.out_width; ++x) {
        const std::int64_t first = x * windows.stride;
        float largest = line[first];
        for (std::int64_t i = first + 1; i < smaller(first + windows.size, windows.width); ++i)
          largest = line[i] > largest ? line[i] : largest;
        to[x] = largest;
      }
    }
  }
}

}  // namespace

}  // namespace rafter::conv_ladder::cpu
