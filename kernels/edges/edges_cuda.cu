// by_atom: a thread an edge; backwards eight lanes an atom, which calculate the gradients by its edges' vectors where
// they add them.
// Bound by DRAM: forwards 16 bytes of index in and 28 out for an edge, backwards 28 of gradients and two ends of 8 in.
// Every edge is visited from both of its ends, the second time in the L1 or L2 where a graph's neighbours are near.
#include "edges/cuda/edges_forward.cuh"

namespace rafter::edges_ladder::RAFTER_BACKEND {

namespace {

struct GradientPolicy {
  static constexpr int threads = 256;
  static constexpr int lanes_of_atom = 8;  // benzene's atoms have 22 ends
  static constexpr bool valid() { return threads % 32 == 0 && 32 % lanes_of_atom == 0 && lanes_of_atom >= 4; }
};
static_assert(GradientPolicy::valid());

/// What a lane's ends of an atom add up to: every eighth of them.
__device__ Vector3 sum_of_ends(const EdgeGradientArgs& args, std::int64_t atom, int lane) {
  const std::int32_t first = args.first_ends[2 * atom], middle = args.first_ends[2 * atom + 1],
                     last = args.first_ends[2 * atom + 2];
  const Vector3 here = load_row(args.positions, atom);
  Vector3 sum{0, 0, 0};
  for (std::int32_t i = first + lane; i < last; i += GradientPolicy::lanes_of_atom) {
    const auto [edge, other] = args.ends[i];
    const Vector3 there = load_row(args.positions, other);
    const bool is_source = i < middle;
    const EdgeGeometry geometry(is_source ? here - there : there - here);
    const Vector3 one = gradient_by_vector(geometry, args.out_gradient, edge);
    const float sign = is_source ? 1.F : -1.F;
    sum = {sum.x + sign * one.x, sum.y + sign * one.y, sum.z + sign * one.z};
  }
  return sum;
}

__global__ void __launch_bounds__(GradientPolicy::threads) edge_gradient_by_atom(EdgeGradientArgs args) {
  constexpr int lanes = GradientPolicy::lanes_of_atom;
  constexpr std::int64_t atoms = GradientPolicy::threads / lanes;
  const int lane = static_cast<int>(threadIdx.x) % lanes;
  const std::int64_t atom = blockIdx.x * atoms + static_cast<int>(threadIdx.x) / lanes;
  Vector3 sum{0, 0, 0};
  if (atom < args.n_atoms) sum = sum_of_ends(args, atom, lane);
#pragma unroll
  for (int step = lanes / 2; step > 0; step /= 2) {
    sum.x += __shfl_xor_sync(0xffffffff, sum.x, step);
    sum.y += __shfl_xor_sync(0xffffffff, sum.y, step);
    sum.z += __shfl_xor_sync(0xffffffff, sum.z, step);
  }
  if (atom >= args.n_atoms || lane >= 3) return;
  args.gradient[3 * atom + lane] = lane == 0 ? sum.x : lane == 1 ? sum.y : sum.z;
}

void launch_by_atom(const Stream& stream, const EdgeVectorArgs& args) { launch_edge_vectors(stream, args); }

void launch_by_atom(const Stream& stream, const EdgeGradientArgs& args) {
  core::launch(edge_gradient_by_atom, ceil_div(args.n_atoms * GradientPolicy::lanes_of_atom, GradientPolicy::threads),
               GradientPolicy::threads, 0, stream, args);
}

}  // namespace

extern const EdgesRung by_atom{[](const Stream& stream, const auto& args) { launch_by_atom(stream, args); }};

}  // namespace rafter::edges_ladder::RAFTER_BACKEND
