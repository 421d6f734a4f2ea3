// A texture as its object describes it: the location of its texels, their format, and the settings of fetches.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "rafter_simt/api/textures.hpp"
#include "rafter_simt/texture_abi.hpp"

namespace rafter::simt {

using rafter_simt::TextureShape;

/// The format of a texel: one, two or four components of 8, 16 or 32 bits.
struct TexelFormat {
  int n;
  int bits;
  cudaChannelFormatKind kind;

  std::uint32_t bytes() const { return static_cast<std::uint32_t>(n * bits / 8); }
};
/// Returns the texel format of a channel description, or nothing if CUDA does not support it.
std::optional<TexelFormat> format_of(const cudaChannelFormatDesc& description);

/// One level of a mipmapped array, or the whole of any other resource. Row y of slice z begins at
/// base + z * slice + y * pitch; layers and faces are slices.
struct Level {
  std::byte* base;
  std::int64_t width, height, depth;  // texels, at least 1 each
  std::size_t pitch, slice;           // bytes
};

struct Texture {
  TextureShape shape;
  TexelFormat format;
  cudaTextureDesc how;
  std::vector<Level> levels;

  bool is_integer() const { return format.kind != cudaChannelFormatKindFloat; }
  /// Whether fetches return integers of 8 or 16 bits as normalised floats.
  bool is_normalized() const { return is_integer() && how.readMode == cudaReadModeNormalizedFloat && format.bits < 32; }
  bool gives_floats() const { return !is_integer() || is_normalized(); }
};

/// Returns the components of a texel as floats; missing ones are 0.
std::array<float, 4> floats_of(const Texture& texture, const std::byte* texel);
/// Returns the border colour; 0 for integers that are not normalised.
std::array<float, 4> border_of(const Texture& texture);
/// Rounds the weighted sum of a component: integers to 16 bits, sRGB colours to half precision.
float filtered(const Texture& texture, std::size_t component, double sum);
/// Returns the components of a texel as the bits of integers; missing ones are 0.
std::array<std::uint32_t, 4> integers_of(const TexelFormat& format, const std::byte* texel);

}  // namespace rafter::simt
