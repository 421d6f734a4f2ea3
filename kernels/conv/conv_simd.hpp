// The loops of the CPU's convolution, compiled per instruction-set level.
#pragma once

#include <cstdint>

#include "library/core/cpu/isa.hpp"

namespace rafter::conv_ladder::cpu {

/// The contents of a vector's lanes: adjacent pixels of one map, or 16 maps of one pixel.
enum class Lanes { pixels, maps };

/// The number of maps that are computed together.
constexpr int group_maps(Lanes lanes) { return lanes == Lanes::pixels ? 4 : 16; }

inline constexpr int read_slack = 2 * 64;  // floats that the loops may read past the last pixel

/// A band of output rows of a group of maps of an image, and its inputs.
struct ConvBand {
  const float* in;  // [channels][input rows of the band][in_pitch], zero-padded
  std::int64_t in_pitch;
  std::int64_t in_plane;
  std::int64_t channels;
  std::int64_t kernel_height;
  std::int64_t kernel_width;
  const float* kernels;  // [channels][kernel height][kernel width][group_maps]
  const float* bias;     // [group_maps]
  bool relu;
  std::int64_t n_rows;
  std::int64_t width;
};

/// Output rows of a group of maps: [map][row][pixel].
struct ConvPlanes {
  float* data;
  std::int64_t pitch;
  std::int64_t plane;
  std::int64_t n_maps;  // maps of the group that exist
};

/// The pooling of computed rows: each window is replaced by its maximum.
struct ConvWindows {
  std::int64_t n_rows;  // rows that exist; windows are cut off there
  std::int64_t width;
  std::int64_t size;
  std::int64_t stride;
  std::int64_t n_out_rows;
  std::int64_t out_width;
  std::int64_t kernel_width;
};

struct ConvLoops {
  /// Returns the number of pixels of a row that are computed, including unused ones.
  std::int64_t (*calculated)(Lanes lanes, std::int64_t width, std::int64_t kernel_width);
  /// Computes sums, bias and ReLU, with pixels in lanes.
  void (*pixels)(const ConvBand& band, const ConvPlanes& out);
  /// Computes sums, bias and ReLU, with maps in lanes: `sums` is [row][computed pixel][map]. Prefetches the lines of
  /// `next`, to which the sums will be copied; `next` may have no maps.
  void (*maps)(const ConvBand& band, float* sums, const ConvPlanes& next);
  /// Pools windows of [map][row][pixel]; overwrites `sums`.
  void (*pool_pixels)(const ConvPlanes& sums, const ConvWindows& windows, const ConvPlanes& out);
  /// Pools windows of [row][computed pixel][map]; overwrites `sums`. The rows of `out` are contiguous.
  void (*pool_maps)(float* sums, const ConvWindows& windows, const ConvPlanes& out);
};

RAFTER_DECLARE_ISA_TABLE(ConvLoops, conv_loops)

}  // namespace rafter::conv_ladder::cpu
