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
    const auto star = star_of<T, radius()>(grid, scale);
    weights.centre = star.centre;
    std::copy_n(star.x, radius(), weights.x);
    std::copy_n(star.y, radius(), weights.y);
    std::copy_n(star.z, radius(), weights.z);
  });
  return weights;
}

}  // namespace rafter::heat_ladder::cpu
