// The interface of the rungs of edges: the arguments of the forward and the backward pass.
#pragma once

#include "edges/edges_geometry.hpp"
#include "library/core/rung.hpp"
#include "library/core/stages.hpp"
#include "rafter/edges.hpp"

namespace rafter::edges_ladder {

struct EdgeVectorArgs {
  const float* positions;       // [atoms][3]
  const std::int64_t* sources;  // [n_edges]
  const std::int64_t* targets;  // [n_edges]
  std::int64_t n_edges;
  EdgePointers<float> out;
  core::Stages stages{};
};

struct EdgeGradientArgs {
  const float* positions;  // [n_atoms][3]
  std::int64_t n_atoms;
  const EdgePlan::Pair* pairs;  // [n_edges]
  std::int64_t n_edges;
  const EdgePlan::End* ends;       // [2 n_edges]
  const std::int32_t* first_ends;  // [2 n_atoms + 1]
  EdgePointers<const float> out_gradient;
  float* gradient;  // [n_atoms][3]
  core::Stages stages{};
};

using EdgesRung = core::Rung<EdgeVectorArgs, EdgeGradientArgs>;

}  // namespace rafter::edges_ladder
