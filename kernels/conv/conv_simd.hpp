// The loop under the CPU's convolution, compiled per instruction-set level.
#pragma once

#include <cstdint>

#include "core/isa.hpp"

namespace rafter::conv_ladder::cpu {

inline constexpr int band_maps = 4;        // maps that are calculated together
inline constexpr int band_slack = 2 * 64;  // floats behind a row of pixels that may be read

/// Some output rows of `band_maps` maps of an image.
struct ConvBand {
  const float* in;  // [channels][rows of the image that they need][in_pitch], zeros where padding is
  std::int64_t in_pitch;
  std::int64_t in_plane;
  std::int64_t channels;
  std::int64_t kernel_height;
  std::int64_t kernel_width;
  const float* kernels;  // [channels][kernel height][kernel width][band_maps]
  std::int64_t n_rows;
  std::int64_t width;
  float* out;  // [band_maps][n_rows][out_pitch]; written in whole vectors
  std::int64_t out_pitch;
};

struct ConvLoops {
  void (*band)(const ConvBand& band);
};

/// The sums of a band, one thread.
RAFTER_DECLARE_ISA_TABLE(ConvLoops, conv_loops)

}  // namespace rafter::conv_ladder::cpu
