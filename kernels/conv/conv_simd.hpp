// The loops under the CPU's convolution, compiled per instruction-set level.
#pragma once

#include <cstdint>

#include "library/core/cpu/isa.hpp"

namespace rafter::conv_ladder::cpu {

/// What the lanes of a vector are: neighbouring pixels of one map, or 16 maps of one pixel.
enum class Lanes { pixels, maps };

/// Maps that are calculated together.
constexpr int group_maps(Lanes lanes) { return lanes == Lanes::pixels ? 4 : 16; }

inline constexpr int read_slack = 2 * 64;  // floats behind the last pixel that may be read

/// Some rows of a group of maps of an image.
struct ConvBand {
  const float* in;  // [channels][rows that they need][in_pitch], with zeros where padding is
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

/// Rows of a group of maps as an output has them: [map][row][pixel].
struct ConvPlanes {
  float* data;
  std::int64_t pitch;
  std::int64_t plane;
  std::int64_t n_maps;  // that are there
};

/// What becomes of rows that were calculated: windows become their largest, and maps planes.
struct ConvWindows {
  std::int64_t n_rows;  // that there are; windows take no more
  std::int64_t width;
  std::int64_t size;
  std::int64_t stride;
  std::int64_t n_out_rows;
  std::int64_t out_width;
  std::int64_t kernel_width;
};

struct ConvLoops {
  /// The pixels of a row that are calculated, with those that nobody needs.
  std::int64_t (*calculated)(Lanes lanes, std::int64_t width, std::int64_t kernel_width);
  /// Sums, bias and ReLU, with pixels in lanes.
  void (*pixels)(const ConvBand& band, const ConvPlanes& out);
  /// The same with maps in lanes: sums are [row][calculated pixel][map]. They go to `next` as they are, so that is
  /// asked for in the meantime; or it has no maps.
  void (*maps)(const ConvBand& band, float* sums, const ConvPlanes& next);
  /// Takes windows of [map][row][pixel], which it overwrites.
  void (*pool_pixels)(const ConvPlanes& sums, const ConvWindows& windows, const ConvPlanes& out);
  /// Takes windows of [row][calculated pixel][map], which it overwrites; the rows of `out` follow one another.
  void (*pool_maps)(float* sums, const ConvWindows& windows, const ConvPlanes& out);
};

RAFTER_DECLARE_ISA_TABLE(ConvLoops, conv_loops)

}  // namespace rafter::conv_ladder::cpu
