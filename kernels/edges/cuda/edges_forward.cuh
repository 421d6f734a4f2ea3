// e = r[source] - r[target] [n_edges][3], d = |e| [n_edges], u = e / (d + epsilon) [n_edges][3]: one thread per edge.
// Bound by DRAM: 16 bytes of indices in and 28 bytes out per edge. Adjacent threads store adjacent rows of three
// floats, so every store of a warp touches all sectors of its rows; the L2 merges them (NOTES.md: staging in shared
// memory is slower).
#pragma once

#include "edges/cuda/edges_geometry.cuh"
#include "library/core/cuda/launch.cuh"

namespace rafter::edges_ladder::RAFTER_BACKEND {

inline constexpr int edge_threads = 256;  // not tuned

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
