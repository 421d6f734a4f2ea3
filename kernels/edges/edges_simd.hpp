// The loops of the CPU rungs of edges, compiled per instruction-set level.
#pragma once

#include "edges/edges_geometry.hpp"
#include "library/core/cpu/isa.hpp"

namespace rafter::edges_ladder::cpu {

/// The edges of a loop; the atoms of edge i are sources[i * stride] and targets[i * stride].
template <class Index>
struct EdgeAtoms {
  const float* positions;
  const Index* sources;
  const Index* targets;
  std::int64_t stride;
  std::int64_t n_edges;
};

/// Both loops run on the calling thread.
struct EdgeLoops {
  void (*vectors)(const EdgeAtoms<std::int64_t>& atoms, const EdgePointers<float>& out);
  /// Computes the gradients with respect to the edge vectors, [n_edges][3], from those of all three results.
  void (*gradients)(const EdgeAtoms<std::int32_t>& atoms, const EdgePointers<const float>& out_gradient, float* out);
};

RAFTER_DECLARE_ISA_TABLE(EdgeLoops, edge_loops)

}  // namespace rafter::edges_ladder::cpu
