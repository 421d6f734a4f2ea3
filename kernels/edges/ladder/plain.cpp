// plain: one edge after the other on one thread; backward, each adds to the sums of its two atoms.
// Limited by the latency of a square root and a division per edge: edges are independent, but the compiler cannot prove
// that the arrays do not alias, so it does not vectorise.
#include <algorithm>
#include <cmath>

#include "edges/edges_rung.hpp"

namespace rafter::edges_ladder::cpu {

namespace {

void run_plain(const EdgeVectorArgs& args) {
  for (std::int64_t i = 0; i < args.n_edges; ++i) {
    float e[3], squares = 0;
    for (int c = 0; c < 3; ++c) {
      e[c] = args.positions[3 * args.sources[i] + c] - args.positions[3 * args.targets[i] + c];
      squares += e[c] * e[c];
    }
    const float d = std::sqrt(squares);
    args.out.distances[i] = d;
    for (int c = 0; c < 3; ++c) {
      args.out.vectors[3 * i + c] = e[c];
      args.out.units[3 * i + c] = e[c] / (d + unit_epsilon);
    }
  }
}

void run_plain(const EdgeGradientArgs& args) {
  std::fill_n(args.gradient, 3 * args.n_atoms, 0.F);
  for (std::int64_t i = 0; i < args.n_edges; ++i) {
    const auto [source, target] = args.pairs[i];
    const auto given = args.out_gradient.from(i);
    float e[3], squares = 0, along = 0;
    for (int c = 0; c < 3; ++c) {
      e[c] = args.positions[3 * std::int64_t{source} + c] - args.positions[3 * std::int64_t{target} + c];
      squares += e[c] * e[c];
      along += e[c] * given.units[c];
    }
    const float d = std::sqrt(squares), w = 1 / (d + unit_epsilon);
    const float by_distance = d > 0 ? (*given.distances - along * w * w) / d : 0;
    for (int c = 0; c < 3; ++c) {
      const float by_vector = given.vectors[c] + given.units[c] * w + e[c] * by_distance;
      args.gradient[3 * std::int64_t{source} + c] += by_vector;
      args.gradient[3 * std::int64_t{target} + c] -= by_vector;
    }
  }
}

}  // namespace

extern const EdgesRung plain{[](const Stream&, const auto& args) { run_plain(args); }};

}  // namespace rafter::edges_ladder::cpu
