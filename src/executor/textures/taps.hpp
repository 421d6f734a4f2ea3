// The texels that a fetch reads and their filter weights: "Texture Fetching" in the CUDA programming guide.
#pragma once

#include <array>
#include <cstdint>

#include "executor/textures/texture.hpp"

namespace rafter::simt {

struct Tap {
  const std::byte* texel;  // null: outside, where the colour is the border's
  double weight;           // a multiple of 2^-32
};

struct Taps {
  std::array<Tap, 16> all;  // at most 8 of each of 2 levels; the first n are used
  int n = 0;

  const Tap* begin() const { return all.data(); }
  const Tap* end() const { return all.data() + n; }
};

/// The coordinates that a kernel passes, and the layer for layered textures.
struct TexturePoint {
  float x, y, z;
  int layer;
};

/// Returns the texels of the level that `level` selects, or of the two levels that it lies between.
Taps taps_of(const Texture& texture, const TexturePoint& point, float level);
/// Returns the four texels that linear filtering would use, in gather's order: counterclockwise from (0, 1).
Taps gather_taps_of(const Texture& texture, const TexturePoint& point);
/// Returns the level with texels as far apart as adjacent pixels. `by_x` and `by_y` are the gradients per pixel.
float level_of(const Texture& texture, const std::array<float, 3>& by_x, const std::array<float, 3>& by_y);

/// The result of a fetch: the bits of four floats or integers.
using Components = std::array<std::uint32_t, 4>;

/// Sets the components that the format has to the weighted sum of the texels.
void blend(const Texture& texture, const Taps& taps, Components& result);
void gather(const Texture& texture, const Taps& taps, int component, Components& result);

}  // namespace rafter::simt
