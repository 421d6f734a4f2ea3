// by_atom: forward, a thread per edge; backward, eight lanes per atom, which compute the gradients of its edge vectors
// where they add them: grad_r[a] = sum over edges from a of g_i - sum over edges to a of g_i, [n_atoms][3].
// Bound by DRAM: forward 16 bytes of indices in and 28 out per edge, backward 28 bytes of gradients and two ends of 8
// in. Every edge is visited from both ends; the second visit hits the L1 or L2 if its atoms are close together in the
// batch.
#include "edges/cuda/edges_forward.cuh"

namespace rafter::edges_ladder::RAFTER_BACKEND {

namespace {

struct GradientPolicy {
  static constexpr int threads = 256;
  static constexpr int lanes_of_atom = 8;  // heuristic: an atom of benzene has 22 ends, so three per lane
  static constexpr bool valid() { return threads % 32 == 0 && 32 % lanes_of_atom == 0 && lanes_of_atom >= 4; }
};
static_assert(GradientPolicy::valid());

/// The sum over a lane's ends of an atom: ends lane, lane + 8, lane + 16, ...
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
