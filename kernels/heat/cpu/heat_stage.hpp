// The weights of a CPU stage, for any radius.
#pragma once

#include <algorithm>

#include "heat/heat_rung.hpp"
#include "heat/heat_simd.hpp"

namespace rafter::heat_ladder::cpu {

template <class T>
StageWeights<T> stage_weights(const HeatGrid& grid, double scale) {
  StageWeights<T> weights{};
  with_radius(grid.radius, [&](auto radius) {
    const auto stencil = stencil_of<T, radius()>(grid, scale);
    weights.centre = stencil.centre;
    std::copy_n(stencil.x, radius(), weights.x);
    std::copy_n(stencil.y, radius(), weights.y);
    std::copy_n(stencil.z, radius(), weights.z);
  });
  return weights;
}

}  // namespace rafter::heat_ladder::cpu
