// Vectors, distances and unit vectors: a thread an edge. Rows of three floats are stored by threads beside each other,
// every store of a warp to all sectors of its rows; the L2 puts them together.
#pragma once

#include "edges/cuda/edges_geometry.cuh"
#include "library/core/cuda/launch.cuh"

namespace rafter::edges_ladder::RAFTER_BACKEND {

inline constexpr int edge_threads = 256;

static __global__ void __launch_bounds__(edge_threads) edge_vectors_by_edge(EdgeVectorArgs args) {
  const std::int64_t i = std::int64_t{blockIdx.x} * edge_threads + threadIdx.x;
  if (i >= args.n_edges) return;
  const EdgeGeometry edge(load_row(args.positions, args.sources[i]) - load_row(args.positions, args.targets[i]));
  store_row(args.out.vectors, i, edge.vector);
  args.out.distances[i] = edge.distance;
  store_row(args.out.units, i, edge.unit());
}

inline void launch_edge_vectors(const Stream& stream, const EdgeVectorArgs& args) {
  core::launch(edge_vectors_by_edge, ceil_div(args.n_edges, edge_threads), edge_threads, 0, stream, args);
}

}  // namespace rafter::edges_ladder::RAFTER_BACKEND
