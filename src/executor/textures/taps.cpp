#include "executor/textures/taps.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace rafter::simt {
namespace {

constexpr int one = 256;  // weights have 8 bits of fraction

/// Returns the second part of a weight that is divided in two. Halves are rounded up in the second half of the corners
/// and down in the first, so that the parts of both sum to the undivided weight.
int second_part(int whole, int weight, bool is_of_first) {
  return (whole * weight + one / 2 - (is_of_first ? 1 : 0)) / one;
}

/// Two adjacent texels along one axis and the weight of the second; -1: outside.
struct Pair {
  std::int64_t first, second;
  int weight;
};

struct Axis {
  std::int64_t n;
  cudaTextureAddressMode mode;
  bool is_normalized;
  cudaTextureFilterMode filter;
};

std::int64_t addressed(std::int64_t i, const Axis& axis) {
  const std::int64_t n = axis.n;
  switch (axis.mode) {
    case cudaAddressModeWrap: return (i % n + n) % n;
    case cudaAddressModeMirror: {
      const std::int64_t at = (i % (2 * n) + 2 * n) % (2 * n);
      return at < n ? at : 2 * n - 1 - at;
    }
    case cudaAddressModeBorder: return i >= 0 && i < n ? i : -1;
    case cudaAddressModeClamp: break;
  }
  return std::clamp<std::int64_t>(i, 0, n - 1);
}

/// Returns a coordinate in texels, clamped far outside of the texture.
double in_texels(float coordinate, const Axis& axis) {
  const float texels = axis.is_normalized ? coordinate * static_cast<float>(axis.n) : coordinate;
  return std::isnan(texels) ? 0 : std::clamp(static_cast<double>(texels), -0x1p40, 0x1p40);
}

// Inlined: otherwise the result is stored and loaded in pieces of different sizes, which stalls.
[[gnu::always_inline]] inline Pair look_up(float coordinate, const Axis& axis) {
  const double at = in_texels(coordinate, axis);
  if (axis.filter == cudaFilterModePoint) {
    const std::int64_t i = addressed(static_cast<std::int64_t>(std::floor(at)), axis);
    return {i, i, 0};
  }
  const auto fixed = static_cast<std::int64_t>(std::floor(at * one + 0.5)) - one / 2;
  const std::int64_t first = addressed(fixed >> 8, axis), second = addressed((fixed >> 8) + 1, axis);
  return {first, second, first == second ? 0 : static_cast<int>(fixed & (one - 1))};
}

/// Returns the settings of an axis. Coordinates that are not normalised are clamped instead of wrapped or mirrored.
Axis axis_of(const Texture& texture, int number, std::int64_t n, cudaTextureFilterMode filter) {
  const bool is_normalized = texture.how.normalizedCoords != 0;
  cudaTextureAddressMode mode = texture.how.addressMode[number];
  if (!is_normalized && mode != cudaAddressModeBorder) mode = cudaAddressModeClamp;
  return {n, mode, is_normalized, filter};
}

/// A direction as a face of a cube and normalised coordinates on it.
struct OnFace {
  int face;
  float s, t;
};
OnFace on_face(const TexturePoint& point) {
  const float x = point.x, y = point.y, z = point.z;
  const float ax = std::fabs(x), ay = std::fabs(y), az = std::fabs(z);
  const auto at = [](int face, float s, float t, float m) { return OnFace{face, (s / m + 1) / 2, (t / m + 1) / 2}; };
  if (ax >= ay && ax >= az) return x >= 0 ? at(0, -z, -y, ax) : at(1, z, -y, ax);
  if (ay >= az) return y >= 0 ? at(2, x, z, ay) : at(3, x, -z, ay);
  return z >= 0 ? at(4, x, -y, az) : at(5, -x, -y, az);
}

/// The texels of a fetch along each axis of one level.
struct Lookup {
  Pair x, y, z;
};

[[gnu::always_inline]] inline Lookup look_up(const Texture& texture, const Level& level, TexturePoint point,
                                             cudaTextureFilterMode filter) {
  Pair z{0, 0, 0};
  const auto axis = [&](int number, std::int64_t n) { return axis_of(texture, number, n, filter); };
  // The layer counts as unsigned, so layer -1 is the last one.
  const auto layer = [&](std::int64_t n) { return std::min<std::int64_t>(static_cast<unsigned>(point.layer), n - 1); };
  switch (texture.shape) {
    case TextureShape::linear:
    case TextureShape::one:
    case TextureShape::two: break;
    case TextureShape::three: z = look_up(point.z, axis(2, level.depth)); break;
    case TextureShape::one_layered:
    case TextureShape::two_layered: z.first = z.second = layer(level.depth); break;
    case TextureShape::cube:
    case TextureShape::cube_layered: {
      const OnFace place = on_face(point);
      const std::int64_t first = texture.shape == TextureShape::cube ? 0 : 6 * layer(level.depth / 6);
      z.first = z.second = first + place.face;
      point.x = place.s;
      point.y = place.t;
    }
  }
  const bool is_flat = texture.shape == TextureShape::one || texture.shape == TextureShape::one_layered;
  if (is_flat) point.y = 0;
  // An H200 treats a 1D texture as an image of one row, fetched at its upper edge: half of the result is border.
  const bool has_border = filter == cudaFilterModeLinear && texture.how.addressMode[1] == cudaAddressModeBorder;
  const Pair y = is_flat && !has_border ? Pair{0, 0, 0} : look_up(point.y, axis(1, level.height));
  return {look_up(point.x, axis(0, level.width)), y, z};
}

const std::byte* texel_at(const Texture& texture, const Level& level, std::int64_t x, std::int64_t y, std::int64_t z) {
  if (x < 0 || y < 0 || z < 0) return nullptr;
  return level.base + static_cast<std::size_t>(z) * level.slice + static_cast<std::size_t>(y) * level.pitch +
         static_cast<std::size_t>(x) * texture.format.bytes();
}

/// Returns the weights of the eight corners, x fastest, as an H200 computes them: the weight is divided along z, then
/// x, then y, and each second part is rounded.
std::array<int, 8> corner_weights(int x, int y, int z) {
  std::array<int, 8> weights{};
  for (std::size_t slice = 0; slice < 2; ++slice) {
    const int of_slice = slice == 0 ? one - z : z, right = second_part(of_slice, x, slice == 0);
    for (std::size_t column = 0; column < 2; ++column) {
      const int of_column = column == 0 ? of_slice - right : right, lower = second_part(of_column, y, column == 0);
      weights[4 * slice + column] = of_column - lower;
      weights[4 * slice + column + 2] = lower;
    }
  }
  return weights;
}

void add_level(Taps& taps, const Texture& texture, const Level& level, const TexturePoint& point, double share) {
  const auto [x, y, z] = look_up(texture, level, point, texture.how.filterMode);
  const std::array<int, 8> weights = corner_weights(x.weight, y.weight, z.weight);
  const std::size_t n_corners = z.weight != 0 ? 8 : y.weight != 0 ? 4 : x.weight != 0 ? 2 : 1;
  for (std::size_t corner = 0; corner < n_corners; ++corner) {
    if (weights[corner] == 0) continue;
    const std::byte* const texel =
        texel_at(texture, level, (corner & 1) != 0 ? x.second : x.first, (corner & 2) != 0 ? y.second : y.first,
                 (corner & 4) != 0 ? z.second : z.first);
    taps.all[static_cast<std::size_t>(taps.n++)] = {texel, share * weights[corner] / one};
  }
}

/// Returns a level in fixed point with 8 fraction bits; further bits are truncated.
double level_in_256ths(float level) { return std::floor(std::clamp(static_cast<double>(level), -1e4, 1e4) * one); }

}  // namespace

Taps taps_of(const Texture& texture, const TexturePoint& point, float level) {
  Taps taps;
  const std::size_t n_levels = texture.levels.size();
  if (n_levels == 1) {
    add_level(taps, texture, texture.levels[0], point, 1);
    return taps;
  }
  const cudaTextureDesc& how = texture.how;
  const double asked = level_in_256ths(std::isnan(level) ? 0 : level) + level_in_256ths(how.mipmapLevelBias);
  const double within =
      std::min(std::max(asked, level_in_256ths(how.minMipmapLevelClamp)), level_in_256ths(how.maxMipmapLevelClamp));
  const auto at = static_cast<std::size_t>(std::clamp(within, 0.0, static_cast<double>((n_levels - 1) * one)));
  if (how.mipmapFilterMode == cudaFilterModePoint) {
    add_level(taps, texture, texture.levels[(at + one / 2) / one], point, 1);
    return taps;
  }
  const double second = static_cast<double>(at % one) / one;
  add_level(taps, texture, texture.levels[at / one], point, 1 - second);
  if (second != 0) add_level(taps, texture, texture.levels[at / one + 1], point, second);
  return taps;
}

Taps gather_taps_of(const Texture& texture, const TexturePoint& point) {
  const Level& level = texture.levels[0];
  const Lookup look = look_up(texture, level, point, cudaFilterModeLinear);
  const Pair &x = look.x, &y = look.y;
  const auto at = [&](std::int64_t i, std::int64_t j) { return Tap{texel_at(texture, level, i, j, look.z.first), 1}; };
  Taps taps;
  taps.n = 4;
  taps.all[0] = at(x.first, y.second);
  taps.all[1] = at(x.second, y.second);
  taps.all[2] = at(x.second, y.first);
  taps.all[3] = at(x.first, y.first);
  return taps;
}

float level_of(const Texture& texture, const std::array<float, 3>& by_x, const std::array<float, 3>& by_y) {
  const Level& first = texture.levels[0];
  const bool has_depth = texture.shape == TextureShape::three;
  const std::array<double, 3> n{static_cast<double>(first.width), static_cast<double>(first.height),
                                has_depth ? static_cast<double>(first.depth) : 0};
  double farthest = 0;
  for (const std::array<float, 3>* step : {&by_x, &by_y}) {
    double squares = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      const double texels = static_cast<double>((*step)[i]) * n[i];
      squares += texels * texels;
    }
    farthest = std::max(farthest, std::sqrt(squares));
  }
  return static_cast<float>(farthest > 0 ? std::floor(std::log2(farthest) * one + 0.5) / one : -1000);
}

namespace {

/// Blends unconverted floats, the format of most textures.
void blend_floats(const Texture& texture, const Taps& taps, Components& result) {
  for (std::size_t c = 0; c < static_cast<std::size_t>(texture.format.n); ++c) {
    double sum = 0;
    float value = 0;
    for (const Tap& tap : taps) {
      value = texture.how.borderColor[c];
      if (tap.texel) std::memcpy(&value, tap.texel + 4 * c, 4);
      sum += tap.weight * static_cast<double>(value);
    }
    result[c] = std::bit_cast<std::uint32_t>(taps.n == 1 ? value : static_cast<float>(sum));
  }
}

}  // namespace

void blend(const Texture& texture, const Taps& taps, Components& result) {
  if (!texture.is_integer() && texture.format.bits == 32) return blend_floats(texture, taps, result);
  if (!texture.gives_floats()) {
    if (taps.all[0].texel) result = integers_of(texture.format, taps.all[0].texel);
    return;
  }
  const auto n = static_cast<std::size_t>(texture.format.n);
  std::array<double, 4> sum{};
  for (const Tap& tap : taps) {
    const std::array<float, 4> value = tap.texel ? floats_of(texture, tap.texel) : border_of(texture);
    for (std::size_t c = 0; c < n; ++c) sum[c] += tap.weight * static_cast<double>(value[c]);
  }
  for (std::size_t c = 0; c < n; ++c) result[c] = std::bit_cast<std::uint32_t>(filtered(texture, c, sum[c]));
}

void gather(const Texture& texture, const Taps& taps, int component, Components& result) {
  for (std::size_t i = 0; i < 4; ++i) {
    Taps single;
    single.n = 1;
    single.all[0] = taps.all[i];
    Components components{};
    blend(texture, single, components);
    result[i] = components[static_cast<std::size_t>(component & 3)];
  }
}

}  // namespace rafter::simt
