// Which texels a fetch takes, and with which weights: the programming guide's "Texture Fetching".
#pragma once

#include <array>
#include <cstdint>

#include "executor/textures/texture.hpp"

namespace rafter::simt {

struct Tap {
  const std::byte* texel;  // nullptr: outside, where the border's colour is
  double weight;           // a multiple of 2^-32
};

struct Taps {
  std::array<Tap, 16> all;  // 2 levels of 8 at most; of which there are
  int n = 0;

  const Tap* begin() const { return all.data(); }
  const Tap* end() const { return all.data() + n; }
};

/// Where a kernel looks: coordinates as it gave them, a layer for those that have some.
struct Spot {
  float x, y, z;
  int layer;
};

/// Of the level that `level` means, or of the two that it lies between.
Taps taps_of(const Texture& texture, const Spot& spot, float level);
/// The four texels that linear filtering would take, in gather's order: counterclockwise from (0, 1).
Taps gather_taps_of(const Texture& texture, const Spot& spot);
/// The level whose texels are as far apart as neighbouring pixels; `by_x` and `by_y`: how far one goes per pixel.
float level_of(const Texture& texture, const std::array<float, 3>& by_x, const std::array<float, 3>& by_y);

/// What the kernel gets, as the bits of four floats or integers.
using Components = std::array<std::uint32_t, 4>;

/// Sets the components that there are.
void blend(const Texture& texture, const Taps& taps, Components& result);
void gather(const Texture& texture, const Taps& taps, int component, Components& result);

}  // namespace rafter::simt
