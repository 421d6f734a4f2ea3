// A texture as its object describes it: where its texels lie, what they are, and how they are looked up.
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

/// What a texel is made of: one, two or four components of 8, 16 or 32 bits.
struct TexelFormat {
  int n;
  int bits;
  cudaChannelFormatKind kind;

  std::uint32_t bytes() const { return static_cast<std::uint32_t>(n * bits / 8); }
};
/// Nothing where CUDA knows no such texels.
std::optional<TexelFormat> format_of(const cudaChannelFormatDesc& description);

/// One level of a mipmapped array, or the whole of anything else. Row y of slice z begins at base + z * slice + y *
/// pitch; layers and faces are slices.
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
  /// 8 and 16 bits only.
  bool is_normalized() const { return is_integer() && how.readMode == cudaReadModeNormalizedFloat && format.bits < 32; }
  bool gives_floats() const { return !is_integer() || is_normalized(); }
};

/// A texel's components as the kernel gets them, those that it lacks 0: as floats, or as the bits of integers.
std::array<float, 4> floats_of(const Texture& texture, const std::byte* texel);
/// The colour around the texture; of integers that stay integers it is 0.
std::array<float, 4> border_of(const Texture& texture);
/// What a component's weighted sum is rounded to: integers to 16 bits, colours to half precision.
float filtered(const Texture& texture, std::size_t component, double sum);
std::array<std::uint32_t, 4> integers_of(const TexelFormat& format, const std::byte* texel);

}  // namespace rafter::simt
