// Compares texture fetches with those of an H200, up to the last bit of sums of floats.
#include "h200_fetches.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cstdlib>
#include <string>

#include "executor/textures/taps.hpp"

namespace rafter::simt {
namespace {

/// The textures of h200_fetches.hpp.
class OfH200 {
 public:
  OfH200() {
    h200::Numbers shorts(1186745205), bytes(827746021), colors(510789188);
    for (int i = 0; i < 64; ++i) shorts_.push_back(static_cast<std::int16_t>(shorts.next()));
    for (int i = 0; i < 81; ++i) bytes_.push_back(static_cast<std::uint8_t>(bytes.next()));
    for (int i = 0; i < 16; ++i) {
      const std::uint32_t b = colors.next(), g = colors.next(), r = colors.next();
      for (const std::uint32_t c : {b, g, r, b >> 8}) colors_.push_back(static_cast<std::uint8_t>(c));
    }
    for (int i = 0; i < 256; ++i) all_bytes_.push_back(static_cast<std::uint8_t>(i));
    for (int i = 0; i < 13; ++i) ramp_.push_back(static_cast<float>(i));
  }

  Texture find(const std::string& name) {
    if (name.starts_with("n13_")) return of(ramp_, TextureShape::one, {13, 1, 1}, name[4] - '0', name[5] - '0', 1);
    if (name == "x1") return of(x1_, TextureShape::one, {17, 1, 1}, 1, 1, 0);
    if (name == "x2") return of(x2_, TextureShape::two, {7, 5, 1}, 1, 1, 0);
    if (name == "x3") return of(x3_, TextureShape::three, {4, 5, 6}, 1, 1, 0);
    if (name == "gat") return of(x2_, TextureShape::two, {7, 5, 1}, 1, 0, 0);
    if (name == "u8l") return of(all_bytes_, TextureShape::one, {256, 1, 1}, 1, 1, 0);
    if (name == "srgbl") {
      Texture colors = of(all_bytes_, TextureShape::one, {256, 1, 1}, 1, 1, 0);
      colors.how.sRGB = 1;
      return colors;
    }
    if (name == "s16l") return of(shorts_, TextureShape::one, {64, 1, 1}, 1, 1, 0);
    if (name == "u8x2l") return of(bytes_, TextureShape::two, {9, 9, 1}, 0, 1, 1);
    if (name == "u4l") return of(colors_, TextureShape::two, {4, 4, 1}, 3, 1, 0, 4);
    if (name == "lay") return of(layers_, TextureShape::two_layered, {5, 4, 3}, 1, 1, 1);
    if (name == "lod11") return mipmap();
    return of(cube_, TextureShape::cube, {5, 5, 6}, name == "cubew" ? 0 : 1, name == "cube" ? 0 : 1, 1);
  }

 private:
  template <class T>
  static Texture of(std::vector<T>& data, TextureShape shape, std::array<std::int64_t, 3> extent, int mode, int filter,
                    int normalized, int n = 1) {
    const cudaChannelFormatKind kind = std::is_floating_point_v<T> ? cudaChannelFormatKindFloat
                                       : std::is_signed_v<T>       ? cudaChannelFormatKindSigned
                                                                   : cudaChannelFormatKindUnsigned;
    Texture texture{};
    texture.shape = shape;
    texture.format = {n, static_cast<int>(8 * sizeof(T)), kind};
    for (cudaTextureAddressMode& m : texture.how.addressMode) m = static_cast<cudaTextureAddressMode>(mode);
    texture.how.filterMode = static_cast<cudaTextureFilterMode>(filter);
    texture.how.normalizedCoords = normalized;
    texture.how.readMode = cudaReadModeNormalizedFloat;
    const float border[4] = {0.25f, 0.5f, 0.75f, 2};
    std::copy(border, border + 4, texture.how.borderColor);
    const std::size_t pitch = static_cast<std::size_t>(extent[0] * n) * sizeof(T);
    texture.levels = {{reinterpret_cast<std::byte*>(data.data()), extent[0], extent[1], extent[2], pitch,
                       pitch * static_cast<std::size_t>(extent[1])}};
    return texture;
  }
  /// Every texel of a level has the level's number.
  Texture mipmap() {
    Texture texture = of(levels_, TextureShape::two, {1, 1, 1}, 1, 0, 1);
    texture.how.mipmapFilterMode = cudaFilterModeLinear;
    texture.how.maxMipmapLevelClamp = 2.3f;
    texture.how.minMipmapLevelClamp = 0.6f;
    texture.how.mipmapLevelBias = 0.3f;
    for (std::size_t i = 1; i < levels_.size(); ++i) {
      texture.levels.push_back(texture.levels[0]);
      texture.levels[i].base = reinterpret_cast<std::byte*>(&levels_[i]);
    }
    return texture;
  }

  std::vector<float> ramp_, levels_{0, 1, 2, 3};
  std::vector<float> x1_ = h200::Numbers(4182680417).floats(17), x2_ = h200::Numbers(2419854408).floats(35);
  std::vector<float> x3_ = h200::Numbers(339958913).floats(120);
  std::vector<float> cube_ = h200::Numbers(3600366676).floats(150), layers_ = h200::Numbers(142421338).floats(60);
  std::vector<std::uint8_t> bytes_, colors_, all_bytes_;
  std::vector<std::int16_t> shorts_;
};

TEST(Textures, FetchLikeAnH200) {
  OfH200 textures;
  for (const h200::Fetch& fetch : h200::fetches) {
    const std::string name = fetch.texture;
    const Texture texture = textures.find(name);
    const auto [x, y, z] = fetch.at;
    const TexturePoint point{x, y, z, static_cast<int>(z)};
    Components got{};
    if (name == "gat") {
      gather(texture, gather_taps_of(texture, point), 0, got);
    } else {
      blend(texture, taps_of(texture, point, name == "lod11" ? z : 0), got);
    }
    for (std::size_t c = 0; c < 4; ++c) {
      // Sums of floats may be rounded differently.
      EXPECT_LE(std::abs(static_cast<std::int64_t>(got[c]) - static_cast<std::int64_t>(fetch.bits[c])), 1)
          << name << " at " << x << ", " << y << ", " << z << ": " << std::bit_cast<float>(got[c]) << " instead of "
          << std::bit_cast<float>(fetch.bits[c]);
    }
  }
}

}  // namespace
}  // namespace rafter::simt
