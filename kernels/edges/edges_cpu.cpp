// threads: one contiguous part of the edges per thread, with vector square roots and divisions. The backward pass first
// writes the gradients of the edge vectors to scratch, then sums them per atom. Bound by memory bandwidth.
#include <algorithm>

#include "edges/edges_rung.hpp"
#include "edges/edges_simd.hpp"
#include "library/core/parts.hpp"
#include "library/core/stream/scratch.hpp"

namespace rafter::edges_ladder::cpu {

namespace {

/// Calls f(first, last) for the parts of [0, n), one per thread.
template <class F>
void for_edge_parts(const Stream& stream, std::int64_t n, const F& f) {
  constexpr std::int64_t min_part = 2048;  // a smaller part costs less than waking a thread (heuristic)
  core::for_parts(core::threads_for(stream, n, min_part), n, f);
}

void run_threads(const Stream& stream, const EdgeVectorArgs& args) {
  for_edge_parts(stream, args.n_edges, [&](std::int64_t first, std::int64_t last) {
    edge_loops().vectors({args.positions, args.sources + first, args.targets + first, 1, last - first},
                         args.out.from(first));
  });
}

/// Stores the gradient of an atom: the sum over its edges as source minus the sum over its edges as target.
void add_ends(const EdgeGradientArgs& args, const float* by_edge, std::int64_t atom) {
  const std::int32_t* first = args.first_ends + 2 * atom;
  float sums[3] = {};
  for (std::int32_t i = first[0]; i < first[1]; ++i) {
    for (int c = 0; c < 3; ++c) sums[c] += by_edge[3 * std::int64_t{args.ends[i].edge} + c];
  }
  for (std::int32_t i = first[1]; i < first[2]; ++i) {
    for (int c = 0; c < 3; ++c) sums[c] -= by_edge[3 * std::int64_t{args.ends[i].edge} + c];
  }
  std::copy_n(sums, 3, args.gradient + 3 * atom);
}

void run_threads(const Stream& stream, const EdgeGradientArgs& args) {
  auto* by_edge = reinterpret_cast<float*>(core::scratch(stream, 3 * args.n_edges * std::int64_t{sizeof(float)}));
  args.stages.begin("edges");
  for_edge_parts(stream, args.n_edges, [&](std::int64_t first, std::int64_t last) {
    const EdgePlan::Pair* pairs = args.pairs + first;
    constexpr std::int64_t stride = sizeof(EdgePlan::Pair) / sizeof(std::int32_t);
    edge_loops().gradients({args.positions, &pairs->source, &pairs->target, stride, last - first},
                           args.out_gradient.from(first), by_edge + 3 * first);
  });
  args.stages.begin("sums");
  for_edge_parts(stream, args.n_atoms, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t atom = first; atom < last; ++atom) add_ends(args, by_edge, atom);
  });
}

}  // namespace

extern const EdgesRung threads{[](const Stream& stream, const auto& args) { run_threads(stream, args); }};

}  // namespace rafter::edges_ladder::cpu
