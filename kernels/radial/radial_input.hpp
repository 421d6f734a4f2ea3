// The input of both passes of radial.
#pragma once

#include <cstdint>

namespace rafter::radial_ladder {

struct RadialInput {
  const float* distances;  // [n_edges]
  std::int64_t n_edges;
  const float* centres;  // [n_centres]
  std::int64_t n_centres;
  float gamma;
  float cutoff;

  constexpr std::int64_t n_values() const { return n_edges * n_centres; }
};

}  // namespace rafter::radial_ladder
