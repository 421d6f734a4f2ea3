// The interface of the rungs of radial: the arguments of the forward and the backward pass.
#pragma once

#include "library/core/rung.hpp"
#include "library/core/stages.hpp"
#include "radial/radial_input.hpp"
#include "rafter/radial.hpp"

namespace rafter::radial_ladder {

struct RadialArgs {
  RadialInput in;
  float* out;  // [n_edges][n_centres]
  core::Stages stages{};
};

struct RadialGradientArgs {
  RadialInput in;
  const float* out_gradient;  // [n_edges][n_centres]
  float* gradient;            // [n_edges]
  core::Stages stages{};
};

using RadialRung = core::Rung<RadialArgs, RadialGradientArgs>;

}  // namespace rafter::radial_ladder
