// Convolution with 16 maps in the lanes: a block is 16 maps x pixels of one or two rows. No lane is wasted, however
// narrow the image. With 32 registers, a kernel row's weights stay in registers, and a pixel is loaded once for all its
// taps.
#pragma once

#include <utility>

#include "conv/conv_simd.hpp"
#include "conv/cpu/conv_vectors.hpp"

namespace rafter::conv_ladder::cpu {

namespace {

constexpr int lane_maps = group_maps(Lanes::maps);
constexpr int map_vectors = lane_maps / n_lanes;
constexpr int most_sums = n_registers - (map_vectors <= 2 ? 4 : 8);  // the others hold weights and a pixel

/// The number of kernel columns whose weights stay in registers during a row of pixels; 0 if they do not fit or the
/// kernel has another width.
constexpr int taps_of(std::int64_t kernel_width) {
  const bool is_usual = kernel_width == 3 || kernel_width == 5 || kernel_width == 7;
  return map_vectors == 1 && is_usual ? static_cast<int>(kernel_width) : 0;
}

/// The numbers of pixels that a block may have; a row is divided into equal blocks. 17 instead of 18 for layer 2 of
/// LeNet: NOTES.md, "CPU".
#if defined(__AVX512F__)
constexpr int pixel_counts[] = {4, 8, 14, 17, 22, 28};
#else
constexpr int pixel_counts[] = {2, 4, 6};
#endif
constexpr int n_counts = sizeof pixel_counts / sizeof *pixel_counts;

/// The most sums of a block. Where pixels are used for several taps, GCC 12 spills with more (NOTES.md, "CPU").
constexpr int most_pixels(int taps) { return (taps == 0 ? most_sums : taps == 3 ? 22 : 18) / map_vectors; }

/// Adds a kernel row's products to the sums, one tap after the other.
template <int Rows, int Pixels>
inline void add_taps(const ConvBand& band, const float* pixels, const float* weights,
                     Vector (&sums)[Rows * Pixels][map_vectors]) {
  for (std::int64_t q = 0; q < band.kernel_width; ++q, ++pixels, weights += lane_maps) {
    asm("" : "+r"(pixels));  // prevents GCC 12 from keeping pixels for the next tap in registers, which spills
    Vector weight[map_vectors];
    for (int v = 0; v < map_vectors; ++v) weight[v] = load(weights + v * n_lanes);
    RAFTER_UNROLL
    for (int i = 0; i < Rows * Pixels; ++i) {
      const Vector pixel = in_all_lanes(pixels[i / Pixels * band.in_pitch + i % Pixels]);
      RAFTER_UNROLL
      for (int v = 0; v < map_vectors; ++v) sums[i][v] = core::fma(pixel, weight[v], sums[i][v]);
    }
  }
}

/// Adds a kernel row's products, all taps at once: a pixel is loaded once for all its sums. Strips of a row alternate,
/// so that at least 8 multiply-adds are between two of the same sum.
template <int Taps, int Rows, int Pixels>
inline void add_window(const ConvBand& band, const float* pixels, const float* weights,
                       Vector (&sums)[Rows * Pixels][map_vectors]) {
  constexpr int strips = (Taps > 3 ? 2 : 4) / Rows;
  constexpr int width = static_cast<int>(pieces(Pixels, strips));
  Vector weight[Taps];
  RAFTER_UNROLL
  for (int q = 0; q < Taps; ++q) weight[q] = load(weights + q * lane_maps);
  RAFTER_UNROLL
  for (int i = 0; i < width + Taps - 1; ++i) {
    RAFTER_UNROLL
    for (int strip = 0; strip < Rows * strips; ++strip) {
      const int row = strip / strips, first = strip % strips * width;
      const Vector pixel = in_all_lanes(pixels[row * band.in_pitch + first + i]);
      RAFTER_UNROLL
      for (int q = 0; q < Taps; ++q) {
        const int x = i - q;
        const bool is_ours = x >= 0 && x < width && first + x < Pixels;
        Vector& sum = sums[is_ours ? row * Pixels + first + x : 0][0];
        if (is_ours) sum = core::fma(pixel, weight[q], sum);
      }
    }
  }
}

/// Computes Rows x Pixels outputs of all maps of a group.
template <int Taps, int Rows, int Pixels>
void maps_block(const ConvBand& band, std::int64_t row, std::int64_t x, float* out, std::int64_t out_pitch) {
  Vector sums[Rows * Pixels][map_vectors];
  RAFTER_UNROLL
  for (int i = 0; i < Rows * Pixels * map_vectors; ++i) sums[i / map_vectors][i % map_vectors] = Vector{};
  const float* weights = band.kernels;
  for (std::int64_t c = 0; c < band.channels; ++c) {
    for (std::int64_t p = 0; p < band.kernel_height; ++p, weights += band.kernel_width * lane_maps) {
      const float* pixels = band.in + c * band.in_plane + (row + p) * band.in_pitch + x;
      if constexpr (Taps > 0) {
        add_window<Taps, Rows, Pixels>(band, pixels, weights, sums);
      } else {
        add_taps<Rows, Pixels>(band, pixels, weights, sums);
      }
    }
  }
  for (int v = 0; v < map_vectors; ++v) {
    const Vector bias = load(band.bias + v * n_lanes);
    RAFTER_UNROLL
    for (int i = 0; i < Rows * Pixels; ++i)
      store(out + (row + i / Pixels) * out_pitch + (x + i % Pixels) * lane_maps + v * n_lanes,
            finished(sums[i][v], bias, band.relu));
  }
}

/// Returns the index of the pixel count with which a row is estimated to be fastest: a block costs its pixels plus 3.
/// The constant is a heuristic; NOTES.md ("CPU") has the times to fit it to.
constexpr int best_count(std::int64_t width, int taps) {
  const auto cost = [&](int i) { return pieces(width, pixel_counts[i]) * (pixel_counts[i] + 3); };
  int best = 0;
  for (int i = 1; i < n_counts && pixel_counts[i] <= most_pixels(taps); ++i) {
    if (cost(i) <= cost(best)) best = i;
  }
  return best;
}

std::int64_t calculated(Lanes lanes, std::int64_t width, std::int64_t kernel_width) {
  const std::int64_t each = lanes == Lanes::maps ? pixel_counts[best_count(width, taps_of(kernel_width))] : n_lanes;
  return pieces(width, each) * each;
}

/// Prefetches the cache lines of a block's outputs: 16 planes are more streams than the hardware prefetcher follows.
template <int Rows, int Pixels>
inline void prefetch_outputs(const ConvPlanes& next, std::int64_t row, std::int64_t x) {
  for (std::int64_t i = 0; i < Rows * next.n_maps; ++i) {
    const float* first = next.data + i / Rows * next.plane + (row + i % Rows) * next.pitch + x;
    for (int line = 0; line < Pixels; line += 16) __builtin_prefetch(first + line, 1);
  }
}

template <int Taps, int Pixels>
void maps_rows(const ConvBand& band, float* out, const ConvPlanes& next) {
  constexpr int rows = 2 * Pixels <= most_pixels(Taps) ? 2 : 1;
  const std::int64_t pitch = pieces(band.width, Pixels) * Pixels * lane_maps;
  std::int64_t row = 0;
  for (; row + rows <= band.n_rows; row += rows) {
    for (std::int64_t x = 0; x < band.width; x += Pixels) {
      prefetch_outputs<rows, Pixels>(next, row, x);
      maps_block<Taps, rows, Pixels>(band, row, x, out, pitch);
    }
  }
  for (; row < band.n_rows; ++row) {
    for (std::int64_t x = 0; x < band.width; x += Pixels) {
      prefetch_outputs<1, Pixels>(next, row, x);
      maps_block<Taps, 1, Pixels>(band, row, x, out, pitch);
    }
  }
}

template <int Taps>
void maps_of(const ConvBand& band, float* sums, const ConvPlanes& next) {
  const int best = best_count(band.width, Taps);
  const auto run_if_best = [&]<int I>(std::integer_sequence<int, I>) {
    if constexpr (pixel_counts[I] <= most_pixels(Taps)) {
      if (I == best) maps_rows<Taps, pixel_counts[I]>(band, sums, next);
    }
  };
  [&]<int... I>(std::integer_sequence<int, I...>) { (run_if_best(std::integer_sequence<int, I>()), ...); }
  (std::make_integer_sequence<int, n_counts>());
}

void maps(const ConvBand& band, float* sums, const ConvPlanes& next) {
  switch (taps_of(band.kernel_width)) {
#if defined(__AVX512F__)
    case 3: return maps_of<3>(band, sums, next);
    case 5: return maps_of<5>(band, sums, next);
    case 7: return maps_of<7>(band, sums, next);
#endif
    default: return maps_of<0>(band, sums, next);
  }
}

/// Interleaves the lower (Half = 0) or the upper (1) halves of `a` and `b`.
template <int Half>
inline Vector zip(Vector a, Vector b) {
  return [&]<int... I>(std::integer_sequence<int, I...>) __attribute__((always_inline)) {
    return __builtin_shufflevector(a, b, (I / 2 + I % 2 * n_lanes + Half * n_lanes / 2)...);
  }
  (std::make_integer_sequence<int, n_lanes>());
}

/// Transposes a square in registers: interleaving the first half of the vectors with the second, log2(n) times, is the
/// transpose.
inline void transpose(Vector (&v)[n_lanes]) {
  RAFTER_UNROLL
  for (int round = 1; round < n_lanes; round *= 2) {
    Vector zipped[n_lanes];
    RAFTER_UNROLL
    for (int i = 0; i < n_lanes / 2; ++i) {
      zipped[2 * i] = zip<0>(v[i], v[i + n_lanes / 2]);
      zipped[2 * i + 1] = zip<1>(v[i], v[i + n_lanes / 2]);
    }
    RAFTER_UNROLL
    for (int i = 0; i < n_lanes; ++i) v[i] = zipped[i];
  }
}

/// Replaces windows by their maxima, as [window][map], in place: every element is read before its memory is written.
void pool_in_place(float* sums, const ConvWindows& windows) {
  const std::int64_t pitch = calculated(Lanes::maps, windows.width, windows.kernel_width) * lane_maps;
  if (windows.size == 1 && windows.stride == 1 && pitch == windows.width * lane_maps) return;
  float* to = sums;
  for (std::int64_t row = 0; row < windows.n_out_rows; ++row) {
    const std::int64_t y = row * windows.stride;
    const std::int64_t n_rows = smaller(windows.size, windows.n_rows - y);
    for (std::int64_t col = 0; col < windows.out_width; ++col, to += lane_maps) {
      const float* from = sums + y * pitch + col * windows.stride * lane_maps;
      const std::int64_t n_cols = smaller(windows.size, windows.width - col * windows.stride);
      for (int v = 0; v < lane_maps; v += n_lanes) {
        Vector largest = load(from + v);
        for (std::int64_t i = 1; i < n_cols; ++i) largest = larger(load(from + i * lane_maps + v), largest);
        for (std::int64_t j = 1; j < n_rows; ++j) {
          for (std::int64_t i = 0; i < n_cols; ++i)
            largest = larger(load(from + j * pitch + i * lane_maps + v), largest);
        }
        store(to + v, largest);
      }
    }
  }
}

/// Copies n_lanes pixels x n_lanes maps, transposed to maps x pixels.
inline void square(const float* in, float* out, std::int64_t plane, std::int64_t n_maps) {
  Vector v[n_lanes];
  RAFTER_UNROLL
  for (int i = 0; i < n_lanes; ++i) v[i] = load(in + i * lane_maps);
  transpose(v);
  RAFTER_UNROLL
  for (int i = 0; i < n_lanes; ++i) {
    if (i < n_maps) store(out + i * plane, v[i]);
  }
}

void pool_maps(float* sums, const ConvWindows& windows, const ConvPlanes& out) {
  pool_in_place(sums, windows);
  const std::int64_t n = windows.n_out_rows * windows.out_width;
  for (std::int64_t m = 0; m < out.n_maps; m += n_lanes) {
    float* to = out.data + m * out.plane;
    for (std::int64_t i = 0; i < n; i += n_lanes) {
      if (n < n_lanes) {
        for (std::int64_t j = 0; j < n * smaller(n_lanes, out.n_maps - m); ++j)
          to[j / n * out.plane + j % n] = sums[j % n * lane_maps + m + j / n];
        break;
      }
      const std::int64_t first = smaller(i, n - n_lanes);  // the last square overlaps the previous one
      square(sums + first * lane_maps + m, to + first, out.plane, out.n_maps - m);
    }
  }
}

}  // namespace

}  // namespace rafter::conv_ladder::cpu
