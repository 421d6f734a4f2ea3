// coalesced: a thread an edge, rows of three floats turned in shared memory and written in 16-byte pieces; backwards
// eight lanes an atom, which calculate the gradients by its edges' vectors where they add them.
// Bound by DRAM: forwards 16 bytes of index in and 28 out for an edge, backwards 28 of gradients and two ends of 8 in.
// Every edge is visited from both of its ends, the second time in the L1 or L2 where a graph's neighbours are near.
#include "core/launch.cuh"
#include "core/vector.cuh"
#include "edges/edges_geometry.cuh"

namespace rafter::edges_ladder::RAFTER_BACKEND {

namespace {

struct EdgesPolicy {
  static constexpr int threads = 256;      // and edges of a block
  static constexpr int lanes_of_atom = 8;  // benzene's atoms have 22 ends
  static constexpr bool valid() { return threads % 32 == 0 && 32 % lanes_of_atom == 0 && lanes_of_atom >= 4; }
};
static_assert(EdgesPolicy::valid());

/// Copies `n` floats of shared memory, by all threads of the block.
__device__ void copy_rows(const float* from, int n, float* to) {
  using Piece = core::Vector<float>;
  const int t = static_cast<int>(threadIdx.x);
  const bool is_aligned = reinterpret_cast<std::uintptr_t>(to) % sizeof(Piece) == 0;
  const int n_pieces = is_aligned ? n / Piece::size : 0;
  for (int i = t; i < n_pieces; i += EdgesPolicy::threads)
    reinterpret_cast<Piece*>(to)[i] = reinterpret_cast<const Piece*>(from)[i];
  for (int i = n_pieces * Piece::size + t; i < n; i += EdgesPolicy::threads) to[i] = from[i];
}

struct EdgeRows {
  alignas(16) float vectors[3 * EdgesPolicy::threads];
  alignas(16) float units[3 * EdgesPolicy::threads];
};

__global__ void __launch_bounds__(EdgesPolicy::threads) edge_vectors_coalesced(EdgeVectorArgs args) {
  __shared__ EdgeRows rows;
  const int t = static_cast<int>(threadIdx.x);
  const std::int64_t first = std::int64_t{blockIdx.x} * EdgesPolicy::threads;
  const int n = static_cast<int>(min(args.n_edges - first, std::int64_t{EdgesPolicy::threads}));
  if (t < n) {
    const Vector3 source = load_row(args.positions, args.sources[first + t]);
    const EdgeGeometry edge(source - load_row(args.positions, args.targets[first + t]));
    store_row(rows.vectors, t, edge.vector);
    store_row(rows.units, t, edge.unit());
    args.out.distances[first + t] = edge.distance;
  }
  __syncthreads();  // all rows are there
  copy_rows(rows.vectors, 3 * n, args.out.vectors + 3 * first);
  copy_rows(rows.units, 3 * n, args.out.units + 3 * first);
}

/// What a lane's ends of an atom add up to: every eighth of them.
__device__ Vector3 sum_of_ends(const EdgeGradientArgs& args, std::int64_t atom, int lane) {
  const std::int32_t first = args.first_ends[2 * atom], middle = args.first_ends[2 * atom + 1],
                     last = args.first_ends[2 * atom + 2];
  const Vector3 here = load_row(args.positions, atom);
  Vector3 sum{0, 0, 0};
  for (std::int32_t i = first + lane; i < last; i += EdgesPolicy::lanes_of_atom) {
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

__global__ void __launch_bounds__(EdgesPolicy::threads) edge_gradient_coalesced(EdgeGradientArgs args) {
  constexpr int lanes = EdgesPolicy::lanes_of_atom;
  constexpr std::int64_t atoms = EdgesPolicy::threads / lanes;
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

void launch_coalesced(const Stream& stream, const EdgeVectorArgs& args) {
  core::launch(edge_vectors_coalesced, ceil_div(args.n_edges, EdgesPolicy::threads), EdgesPolicy::threads, 0, stream,
               args);
}

void launch_coalesced(const Stream& stream, const EdgeGradientArgs& args) {
  core::launch(edge_gradient_coalesced, ceil_div(args.n_atoms * EdgesPolicy::lanes_of_atom, EdgesPolicy::threads),
               EdgesPolicy::threads, 0, stream, args);
}

}  // namespace

extern const EdgesRung coalesced{[](const Stream& stream, const auto& args) { launch_coalesced(stream, args); }};

}  // namespace rafter::edges_ladder::RAFTER_BACKEND
