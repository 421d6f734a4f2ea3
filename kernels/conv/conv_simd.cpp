// A band of outputs by one thread: maps x vectors of pixels in registers, while all taps of all channels pass over
// them. Bound by the multiply-add units: a vector of pixels is loaded once for `band_maps` multiply-adds.
#include "conv/conv_simd.hpp"

#include <cstring>

namespace rafter::conv_ladder::cpu {

namespace {

constexpr int lanes = core::vector_bytes / 4;
typedef float Vector __attribute__((vector_size(core::vector_bytes)));  // NOLINT: an alias cannot have the attribute

inline Vector load(const float* from) {
  Vector v;
  std::memcpy(&v, from, sizeof v);
  return v;
}

/// `Vectors` vectors of pixels from `x` on in one row.
template <int Vectors>
void block(const ConvBand& band, std::int64_t row, std::int64_t x) {
  Vector sums[band_maps][Vectors] = {};
  const float* weights = band.kernels;
  for (std::int64_t c = 0; c < band.channels; ++c) {
    for (std::int64_t p = 0; p < band.kernel_height; ++p) {
      const float* pixels = band.in + c * band.in_plane + (row + p) * band.in_pitch + x;
      for (std::int64_t q = 0; q < band.kernel_width; ++q, weights += band_maps) {
        for (int v = 0; v < Vectors; ++v) {
          const Vector four = load(pixels + q + v * lanes);
          for (int m = 0; m < band_maps; ++m) sums[m][v] += four * weights[m];
        }
      }
    }
  }
  for (int m = 0; m < band_maps; ++m)
    std::memcpy(band.out + (m * band.n_rows + row) * band.out_pitch + x, sums[m], sizeof sums[m]);
}

void band(const ConvBand& band) {
  constexpr int most = lanes == 16 ? 5 : 3;  // of the 32 or 16 registers
  for (std::int64_t row = 0; row < band.n_rows; ++row) {
    std::int64_t x = 0;
    for (; x + (most - 1) * lanes < band.width; x += most * lanes) block<most>(band, row, x);
    for (; x + lanes < band.width; x += 2 * lanes) block<2>(band, row, x);
    for (; x < band.width; x += lanes) block<1>(band, row, x);
  }
}

}  // namespace

RAFTER_ISA_TABLE(ConvLoops, conv_loops) = {band};

}  // namespace rafter::conv_ladder::cpu
