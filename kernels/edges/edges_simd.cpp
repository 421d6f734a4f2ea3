// Edges on one thread, in blocks that fit in the L1: one array per coordinate, so that square roots and divisions use
// whole vectors. Bound by gathering positions, three floats at a time, and by memory.
#include "edges/edges_simd.hpp"

namespace rafter::edges_ladder::cpu {

namespace {

constexpr int block_edges = 256;

/// The vectors of a block of edges, one array per coordinate.
struct EdgeBlock {
  alignas(64) float x[block_edges], y[block_edges], z[block_edges];

  template <class Index>
  void fill(const EdgeAtoms<Index>& atoms, std::int64_t first, int n) {
    for (int i = 0; i < n; ++i) {
      const float* source = atoms.positions + 3 * std::int64_t{atoms.sources[(first + i) * atoms.stride]};
      const float* target = atoms.positions + 3 * std::int64_t{atoms.targets[(first + i) * atoms.stride]};
      x[i] = source[0] - target[0];
      y[i] = source[1] - target[1];
      z[i] = source[2] - target[2];
    }
  }
  float distance(int i) const { return __builtin_sqrtf(x[i] * x[i] + y[i] * y[i] + z[i] * z[i]); }
};

void vectors(const EdgeAtoms<std::int64_t>& atoms, const EdgePointers<float>& out) {
  EdgeBlock e;
  alignas(64) float weight[block_edges];
  for (std::int64_t first = 0; first < atoms.n_edges; first += block_edges) {
    const int n = static_cast<int>(atoms.n_edges - first < block_edges ? atoms.n_edges - first : block_edges);
    e.fill(atoms, first, n);
    const EdgePointers<float> to = out.from(first);
    for (int i = 0; i < n; ++i) to.distances[i] = e.distance(i);
    for (int i = 0; i < n; ++i) weight[i] = 1 / (to.distances[i] + unit_epsilon);
    for (int i = 0; i < n; ++i) {
      to.vectors[3 * i] = e.x[i];
      to.vectors[3 * i + 1] = e.y[i];
      to.vectors[3 * i + 2] = e.z[i];
    }
    for (int i = 0; i < n; ++i) {
      to.units[3 * i] = e.x[i] * weight[i];
      to.units[3 * i + 1] = e.y[i] * weight[i];
      to.units[3 * i + 2] = e.z[i] * weight[i];
    }
  }
}

void gradients(const EdgeAtoms<std::int32_t>& atoms, const EdgePointers<const float>& out_gradient, float* out) {
  EdgeBlock e;
  alignas(64) float along[block_edges], weight[block_edges], by_distance[block_edges];
  for (std::int64_t first = 0; first < atoms.n_edges; first += block_edges) {
    const int n = static_cast<int>(atoms.n_edges - first < block_edges ? atoms.n_edges - first : block_edges);
    e.fill(atoms, first, n);
    const EdgePointers<const float> given = out_gradient.from(first);
    for (int i = 0; i < n; ++i)
      along[i] = e.x[i] * given.units[3 * i] + e.y[i] * given.units[3 * i + 1] + e.z[i] * given.units[3 * i + 2];
    for (int i = 0; i < n; ++i) {
      const float d = e.distance(i);
      weight[i] = 1 / (d + unit_epsilon);
      const float slope = (given.distances[i] - along[i] * weight[i] * weight[i]) / (d > 0 ? d : 1);
      by_distance[i] = d == 0 ? 0 : slope;  // a NaN distance keeps its NaN slope
    }
    float* to = out + 3 * first;
    for (int i = 0; i < n; ++i) {
      to[3 * i] = given.vectors[3 * i] + given.units[3 * i] * weight[i] + e.x[i] * by_distance[i];
      to[3 * i + 1] = given.vectors[3 * i + 1] + given.units[3 * i + 1] * weight[i] + e.y[i] * by_distance[i];
      to[3 * i + 2] = given.vectors[3 * i + 2] + given.units[3 * i + 2] * weight[i] + e.z[i] * by_distance[i];
    }
  }
}

}  // namespace

RAFTER_ISA_TABLE(EdgeLoops, edge_loops) = {vectors, gradients};

}  // namespace rafter::edges_ladder::cpu
