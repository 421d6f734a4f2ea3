// Addressing, filtering and conversions of textures, compared with the formulas of the CUDA programming guide in
// float64, and with an H200's behaviour where the guide says nothing (h200_fetches_test.cpp).
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <random>

#include "executor/textures/taps.hpp"

namespace rafter::simt {
namespace {

float first_of(const Texture& texture, const Taps& taps) {
  Components all{};
  blend(texture, taps, all);
  return std::bit_cast<float>(all[0]);
}

/// A texture of floats with up to three dimensions, with its own memory.
struct Image {
  std::vector<float> texels;
  Texture texture{};

  Image(TextureShape shape, int width, int height, int depth) {
    std::mt19937 random(5);
    for (int i = 0; i < width * height * depth; ++i)
      texels.push_back(std::uniform_real_distribution<float>(-1, 1)(random));
    texture.shape = shape;
    texture.format = {1, 32, cudaChannelFormatKindFloat};
    const std::size_t pitch = static_cast<std::size_t>(width) * 4;
    texture.levels = {{reinterpret_cast<std::byte*>(texels.data()), width, height, depth, pitch,
                       pitch * static_cast<std::size_t>(height)}};
  }
  void set(cudaTextureAddressMode mode, cudaTextureFilterMode filter, bool normalized) {
    for (cudaTextureAddressMode& m : texture.how.addressMode) m = mode;
    if (texture.shape == TextureShape::one) texture.how.addressMode[1] = cudaAddressModeClamp;
    texture.how.filterMode = filter;
    texture.how.normalizedCoords = normalized;
  }
  float fetch(const TexturePoint& point) const { return first_of(texture, taps_of(texture, point, 0)); }
};

/// Returns the index of a texel after its address mode; -1 for the border, which is 0 here.
int guide_index(long long i, int n, cudaTextureAddressMode mode) {
  if (mode == cudaAddressModeBorder) return i < 0 || i >= n ? -1 : static_cast<int>(i);
  if (mode == cudaAddressModeClamp) return static_cast<int>(i < 0 ? 0 : i >= n ? n - 1 : i);
  const long long period = mode == cudaAddressModeWrap ? n : 2 * n;
  while (i < 0) i += period;
  i %= period;
  return static_cast<int>(i < n ? i : 2 * n - 1 - i);
}

struct Weighted {
  int index;
  double weight;
};

std::array<Weighted, 2> guide_axis(float x, int n, const cudaTextureDesc& how, int axis) {
  cudaTextureAddressMode mode = how.addressMode[axis];
  if (!how.normalizedCoords && mode != cudaAddressModeBorder) mode = cudaAddressModeClamp;
  const double in_texels =
      how.normalizedCoords ? static_cast<double>(x * static_cast<float>(n)) : static_cast<double>(x);
  if (how.filterMode == cudaFilterModePoint)
    return {{{guide_index(std::llround(std::floor(in_texels)), n, mode), 1}, {-1, 0}}};
  const double shifted = in_texels - 0.5;
  const double floor = std::floor(shifted);
  const double alpha = std::floor((shifted - floor) * 256 + 0.5) / 256;
  const long long i = std::llround(floor);
  return {{{guide_index(i, n, mode), 1 - alpha}, {guide_index(i + 1, n, mode), alpha}}};
}

/// Splits `whole`, a multiple of 1/256, between two adjacent texels and returns the part of texel `which`. The part of
/// the second is rounded to 1/256, a half down if `of` is 0 and up otherwise.
double part(double whole, const std::array<Weighted, 2>& axis, std::size_t which, std::size_t of) {
  const double exact = axis[0].index == axis[1].index ? 0 : whole * axis[1].weight * 256;
  const double second = (of == 0 ? std::ceil(exact - 0.5) : std::floor(exact + 0.5)) / 256;
  return which == 1 ? second : whole - second;
}

/// Computes the sum of the guide, with rounded products of weights: along x within a slice, along y within its columns.
double guide_fetch(const Image& image, const TexturePoint& point) {
  const Level& level = image.texture.levels[0];
  const cudaTextureDesc& how = image.texture.how;
  const bool has_y = image.texture.shape != TextureShape::one, has_z = image.texture.shape == TextureShape::three;
  const std::array<Weighted, 2> none{{{0, 1}, {-1, 0}}};
  const auto xs = guide_axis(point.x, static_cast<int>(level.width), how, 0);
  const auto ys = has_y ? guide_axis(point.y, static_cast<int>(level.height), how, 1) : none;
  const auto zs = has_z ? guide_axis(point.z, static_cast<int>(level.depth), how, 2) : none;
  double sum = 0;
  for (std::size_t corner = 0; corner < 8; ++corner) {
    const std::size_t i = corner & 1, j = corner >> 1 & 1, k = corner >> 2;
    if (xs[i].index < 0 || ys[j].index < 0 || zs[k].index < 0) continue;
    const double weight = part(part(part(1, zs, k, 1), xs, i, k), ys, j, i);
    const auto at = static_cast<std::size_t>((zs[k].index * level.height + ys[j].index) * level.width + xs[i].index);
    sum += weight * static_cast<double>(image.texels[at]);
  }
  return sum;
}

TEST(Textures, FetchLikeTheProgrammingGuide) {
  Image images[] = {{TextureShape::one, 13, 1, 1}, {TextureShape::two, 7, 5, 1}, {TextureShape::three, 4, 6, 3}};
  std::mt19937 random(1);
  for (Image& image : images) {
    for (int mode = 0; mode < 4; ++mode) {
      for (const cudaTextureFilterMode filter : {cudaFilterModePoint, cudaFilterModeLinear}) {
        for (const bool normalized : {false, true}) {
          image.set(static_cast<cudaTextureAddressMode>(mode), filter, normalized);
          std::uniform_real_distribution<float> place(normalized ? -2.5f : -9, normalized ? 3.5f : 20);
          for (int i = 0; i < 500; ++i) {
            const TexturePoint point{place(random), place(random), place(random), 0};
            const double want = guide_fetch(image, point);
            ASSERT_LE(std::fabs(static_cast<double>(image.fetch(point)) - want), std::fabs(want) * 0x1p-24)
                << "mode " << mode << ", linear " << filter << ", normalised " << normalized << " at " << point.x
                << ", " << point.y << ", " << point.z;
          }
        }
      }
    }
  }
}

TEST(Textures, ReturnTexelsUnchangedAtTheirCentres) {
  Image image(TextureShape::two, 5, 4, 1);
  image.set(cudaAddressModeClamp, cudaFilterModeLinear, false);
  for (int y = 0; y < 4; ++y) {
    for (int x = 0; x < 5; ++x) {
      const TexturePoint centre{static_cast<float>(x) + 0.5f, static_cast<float>(y) + 0.5f, 0, 0};
      EXPECT_EQ(taps_of(image.texture, centre, 0).n, 1);  // texels of weight 0 are not read
      EXPECT_EQ(image.fetch(centre), image.texels[static_cast<std::size_t>(y * 5 + x)]);
    }
  }
}

TEST(Textures, OfOneValueReturnItEverywhere) {
  Image image(TextureShape::three, 4, 6, 3);
  for (float& texel : image.texels) texel = 3;
  image.set(cudaAddressModeClamp, cudaFilterModeLinear, false);
  std::mt19937 random(2);
  std::uniform_real_distribution<float> place(-2, 8);
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(image.fetch({place(random), place(random), place(random), 0}), 3.0f);
}

TEST(Textures, OfOneRowBlendWithTheBorderAbove) {
  Image image(TextureShape::one, 4, 1, 1);
  image.set(cudaAddressModeBorder, cudaFilterModeLinear, false);
  image.texture.how.addressMode[1] = cudaAddressModeBorder;
  image.texture.how.borderColor[0] = 5;
  EXPECT_EQ(image.fetch({1.5f, 0, 0, 0}), static_cast<float>((static_cast<double>(image.texels[1]) + 5) / 2));
}

TEST(Textures, ConvertTheBorderColourToTheirFormat) {
  Texture texture{};
  for (int c = 0; c < 4; ++c) texture.how.borderColor[c] = 0.25f * static_cast<float>(c + 1);
  texture.format = {2, 32, cudaChannelFormatKindFloat};
  EXPECT_EQ(border_of(texture), (std::array<float, 4>{0.25f, 0.5f, 0, 0}));
  texture.format = {4, 8, cudaChannelFormatKindUnsigned};
  texture.how.readMode = cudaReadModeNormalizedFloat;
  texture.how.borderColor[3] = 2;
  EXPECT_EQ(border_of(texture), (std::array<float, 4>{64 / 255.0f, 127 / 255.0f, 191 / 255.0f, 1}));
}

TEST(Textures, AcceptAnyCoordinate) {
  Image image(TextureShape::one, 8, 1, 1);
  for (int mode = 0; mode < 4; ++mode) {
    image.set(static_cast<cudaTextureAddressMode>(mode), cudaFilterModeLinear, true);
    for (const float x : {NAN, INFINITY, -INFINITY, 1e30f, -1e30f, 0x1p-140f}) {
      for (const Tap& tap : taps_of(image.texture, {x, x, x, 0}, x)) {
        if (!tap.texel) continue;
        EXPECT_GE(tap.texel, reinterpret_cast<const std::byte*>(image.texels.data()));
        EXPECT_LT(tap.texel, reinterpret_cast<const std::byte*>(image.texels.data() + 8));
      }
    }
  }
}

Texture of_format(int n, int bits, cudaChannelFormatKind kind) {
  Texture texture{};
  texture.format = {n, bits, kind};
  texture.how.readMode = cudaReadModeNormalizedFloat;
  return texture;
}

template <class T>
float as_float(const Texture& texture, T value) {
  std::byte bytes[sizeof(T)];
  std::memcpy(bytes, &value, sizeof(T));
  return floats_of(texture, bytes)[0];
}

TEST(Texels, NormaliseIntegers) {
  const Texture u8 = of_format(1, 8, cudaChannelFormatKindUnsigned), s8 = of_format(1, 8, cudaChannelFormatKindSigned);
  const Texture u16 = of_format(1, 16, cudaChannelFormatKindUnsigned),
                s16 = of_format(1, 16, cudaChannelFormatKindSigned);
  for (int i = 0; i < 256; ++i) {
    EXPECT_EQ(as_float(u8, static_cast<std::uint8_t>(i)), static_cast<float>(i / 255.0));
    const int s = i - 128;
    EXPECT_EQ(as_float(s8, static_cast<std::int8_t>(s)), static_cast<float>(s == -128 ? -1.0 : s / 127.0));
  }
  for (int i = 0; i < 65536; i += 13) {
    EXPECT_EQ(as_float(u16, static_cast<std::uint16_t>(i)), static_cast<float>(i / 65535.0));
    const int s = i - 32768;
    EXPECT_EQ(as_float(s16, static_cast<std::int16_t>(s)), static_cast<float>(s == -32768 ? -1.0 : s / 32767.0));
  }
}

TEST(Texels, DecodeSrgbExceptAlpha) {
  Texture srgb = of_format(4, 8, cudaChannelFormatKindUnsigned);
  srgb.how.sRGB = 1;
  const std::byte bytes[4] = {std::byte{0}, std::byte{128}, std::byte{255}, std::byte{128}};
  const auto decoded = floats_of(srgb, bytes);
  EXPECT_EQ(decoded[0], 0.0f);
  EXPECT_NEAR(decoded[1], 0.2158605, 0.2158605 / 256);
  EXPECT_EQ(decoded[2], 1.0f);
  EXPECT_EQ(decoded[3], static_cast<float>(128 / 255.0));
}

TEST(Texels, ConvertHalvesExactly) {
  const Texture half = of_format(1, 16, cudaChannelFormatKindFloat);
  const std::pair<std::uint16_t, float> cases[] = {{0x0000, 0.0f},      {0x3c00, 1.0f},       {0xc000, -2.0f},
                                                   {0x0001, 0x1p-24f},  {0x7bff, 65504.0f},   {0x7c00, INFINITY},
                                                   {0xfc00, -INFINITY}, {0x3555, 0x1.554p-2f}};
  for (const auto& [bits, value] : cases) EXPECT_EQ(as_float(half, bits), value);
  EXPECT_TRUE(std::isnan(as_float(half, std::uint16_t{0x7e00})));
}

TEST(Texels, HaveOneTwoOrFourComponentsOfOneWidth) {
  EXPECT_TRUE(format_of({8, 0, 0, 0, cudaChannelFormatKindUnsigned}));
  EXPECT_TRUE(format_of({16, 16, 0, 0, cudaChannelFormatKindFloat}));
  EXPECT_EQ(format_of({32, 32, 32, 32, cudaChannelFormatKindSigned})->bytes(), 16U);
  EXPECT_FALSE(format_of({8, 8, 8, 0, cudaChannelFormatKindUnsigned}));
  EXPECT_FALSE(format_of({8, 16, 0, 0, cudaChannelFormatKindUnsigned}));
  EXPECT_FALSE(format_of({8, 0, 0, 0, cudaChannelFormatKindFloat}));
  EXPECT_FALSE(format_of({64, 0, 0, 0, cudaChannelFormatKindFloat}));
  EXPECT_FALSE(format_of({0, 0, 0, 0, cudaChannelFormatKindSigned}));
}

TEST(Mipmaps, SelectAndBlendLevels) {
  std::array<float, 3> values{0, 1, 2};
  Texture texture{};
  texture.shape = TextureShape::two;
  texture.format = {1, 32, cudaChannelFormatKindFloat};
  texture.how.normalizedCoords = 1;
  texture.how.maxMipmapLevelClamp = 2;
  for (float& value : values) texture.levels.push_back({reinterpret_cast<std::byte*>(&value), 1, 1, 1, 4, 4});
  const auto at = [&](float level) { return first_of(texture, taps_of(texture, {0.5f, 0.5f, 0, 0}, level)); };
  EXPECT_EQ(at(-3), 0.0f);
  EXPECT_EQ(at(0.4f), 0.0f);
  EXPECT_EQ(at(0.6f), 1.0f);
  EXPECT_EQ(at(9), 2.0f);
  texture.how.mipmapFilterMode = cudaFilterModeLinear;
  EXPECT_EQ(at(0.25f), 0.25f);
  EXPECT_EQ(at(1.75f), 1.75f);
  EXPECT_EQ(at(0.2539f), 0.25f);  // truncated to 1/256
  texture.how.mipmapLevelBias = 0.5f;
  texture.how.minMipmapLevelClamp = 1;
  EXPECT_EQ(at(0), 1.0f);
  EXPECT_EQ(at(1), 1.5f);
}

}  // namespace
}  // namespace rafter::simt
