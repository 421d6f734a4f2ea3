// fused: a thread per edge. The backward pass stores the gradients of the edge vectors, [n_edges][3]; then a thread per
// atom adds those of its edges. Bound by DRAM: backward, the gradients of edges are written and read again.
#include "edges/cuda/edges_forward.cuh"
#include "library/core/stream/scratch.hpp"

namespace rafter::edges_ladder::RAFTER_BACKEND {

__global__ void __launch_bounds__(edge_threads) gradients_by_vectors(EdgeGradientArgs args, float* by_edge) {
  const std::int64_t i = std::int64_t{blockIdx.x} * edge_threads + threadIdx.x;
  if (i >= args.n_edges) return;
  const auto [source, target] = args.pairs[i];
  const EdgeGeometry edge(load_row(args.positions, source) - load_row(args.positions, target));
  store_row(by_edge, i, gradient_by_vector(edge, args.out_gradient, i));
}

__global__ void __launch_bounds__(edge_threads) add_ends_of_atoms(EdgeGradientArgs args, const float* by_edge) {
  const std::int64_t atom = std::int64_t{blockIdx.x} * edge_threads + threadIdx.x;
  if (atom >= args.n_atoms) return;
  const std::int32_t first = args.first_ends[2 * atom], middle = args.first_ends[2 * atom + 1],
                     last = args.first_ends[2 * atom + 2];
  Vector3 sum{0, 0, 0};
  for (std::int32_t i = first; i < last; ++i) {
    const Vector3 one = load_row(by_edge, args.ends[i].edge);
    const float sign = i < middle ? 1.F : -1.F;
    sum = {sum.x + sign * one.x, sum.y + sign * one.y, sum.z + sign * one.z};
  }
  store_row(args.gradient, atom, sum);
}

void run_fused(const Stream& stream, const EdgeVectorArgs& args) { launch_edge_vectors(stream, args); }

void run_fused(const Stream& stream, const EdgeGradientArgs& args) {
  auto* by_edge = reinterpret_cast<float*>(core::scratch(stream, 3 * args.n_edges * std::int64_t{sizeof(float)}));
  args.stages.begin("edges");
  core::launch(gradients_by_vectors, ceil_div(args.n_edges, edge_threads), edge_threads, 0, stream, args, by_edge);
  args.stages.begin("sums");
  core::launch(add_ends_of_atoms, ceil_div(args.n_atoms, edge_threads), edge_threads, 0, stream, args, by_edge);
}

extern const EdgesRung fused{[](const Stream& stream, const auto& args) { run_fused(stream, args); }};

}  // namespace rafter::edges_ladder::RAFTER_BACKEND
