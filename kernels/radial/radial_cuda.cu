// tiled: a block processes the rows of up to 256 edges, contiguous in memory, in 16-byte pieces: [edges][n_centres].
// Bound by DRAM: forward 4 bytes in and 4 n_centres bytes out per edge, backward the reverse. Distances and cutoff
// values are computed once per row and kept in shared memory with the centres.
//
// Races: shared memory is written once and read after a __syncthreads; nothing in it is reused.
#include <algorithm>

#include "library/core/cuda/launch.cuh"
#include "library/core/cuda/policy.cuh"
#include "library/core/cuda/vector.cuh"
#include "radial/cuda/radial_functions.cuh"
#include "radial/cuda/radial_fused.cuh"
#include "radial/radial_tunables.hpp"

namespace rafter::radial_ladder::RAFTER_BACKEND {

namespace {

struct RadialPolicy {
  static constexpr int threads = 256;
  static constexpr int edges = 256;         // of a block, at most; radial_tunables.hpp has the number at run time
  static constexpr int centres = 1024;      // at most
  static constexpr int row_pieces = 4096;   // of a block, at most: 16 KiB of partial sums in the backward pass
  static constexpr int pieces_at_once = 2;  // loads in flight per thread
  static constexpr bool valid() { return threads >= edges && row_pieces >= centres / 4; }
};
static_assert(RadialPolicy::valid());

using Piece = core::Vector<float>;

/// The rows of block `block`.
struct Rows {
  std::int64_t first;
  int n;
  int row_pieces;  // n_centres / 4

  __device__ Rows(const RadialInput& in, int edges, unsigned block)
      : first(std::int64_t{block} * edges),
        n(static_cast<int>(min(in.n_edges - first, std::int64_t{edges}))),
        row_pieces(static_cast<int>(in.n_centres / Piece::size)) {}
  __device__ int n_pieces() const { return n * row_pieces; }
};

struct RadialStorage {
  alignas(16) float centres[RadialPolicy::centres];
  float distance[RadialPolicy::edges];
  Envelope envelope[RadialPolicy::edges];

  /// Loads the block's distances and the centres. Collective: all threads of the block.
  __device__ void fill(const RadialInput& in, const Rows& rows) {
    const int t = static_cast<int>(threadIdx.x);
    for (int k = t; k < in.n_centres; k += RadialPolicy::threads) centres[k] = in.centres[k];
    if (t < rows.n) {
      distance[t] = in.distances[rows.first + t];
      envelope[t] = envelope_of(distance[t], in.cutoff);
    }
    __syncthreads();  // all rows and centres are written before any thread reads them
  }
};

/// The position of a thread's current piece: pieces thread, thread + 256, thread + 512, ... of the block's rows.
struct PieceOfRow {
  int row;
  int column;

  __device__ void advance(const Rows& rows, const PieceOfRow& step) {
    row += step.row;
    column += step.column;
    if (column < rows.row_pieces) return;
    column -= rows.row_pieces;
    ++row;
  }
  __device__ PieceOfRow(int r, int c) : row(r), column(c) {}
};
__device__ PieceOfRow first_piece(const Rows& rows, int thread) {
  return {thread / rows.row_pieces, thread % rows.row_pieces};
}
__device__ PieceOfRow step_of(const Rows& rows) {
  return {RadialPolicy::threads / rows.row_pieces, RadialPolicy::threads % rows.row_pieces};
}

__global__ void __launch_bounds__(RadialPolicy::threads) radial_tiled(RadialInput in, int edges, float* out) {
  __shared__ RadialStorage shared;
  const Rows rows(in, edges, blockIdx.x);
  shared.fill(in, rows);
  const float scale = -in.gamma * log2_e;
  auto* to = reinterpret_cast<Piece*>(out + rows.first * in.n_centres);
  const int t = static_cast<int>(threadIdx.x);
  PieceOfRow at = first_piece(rows, t);
  const PieceOfRow step = step_of(rows);
  for (int i = t; i < rows.n_pieces(); i += RadialPolicy::threads, at.advance(rows, step)) {
    const float d = shared.distance[at.row], envelope = shared.envelope[at.row].value;
    Piece values = reinterpret_cast<const Piece*>(shared.centres)[at.column];
#pragma unroll
    for (float& value : values.lane) value = d >= in.cutoff ? 0 : gaussian(d - value, scale) * envelope;
    to[i] = values;
  }
}

/// The terms of one piece of a row: sum over its centres of out_gradient * d out / d d.
__device__ float gradient_of(const Piece& out_gradient, const Piece& centres, float d, Envelope envelope, float gamma) {
  float sum = 0;
#pragma unroll
  for (int i = 0; i < Piece::size; ++i) {
    const float t = d - centres.lane[i];
    sum += out_gradient.lane[i] * gaussian(t, -gamma * log2_e) * (envelope.slope - 2 * gamma * t * envelope.value);
  }
  return sum;
}

__global__ void __launch_bounds__(RadialPolicy::threads)
    radial_gradient_tiled(RadialInput in, int edges, const float* out_gradient, float* gradient) {
  constexpr int at_once = RadialPolicy::pieces_at_once;
  __shared__ RadialStorage shared;
  __shared__ float sums[RadialPolicy::row_pieces];  // [rows][row_pieces]
  const Rows rows(in, edges, blockIdx.x);
  shared.fill(in, rows);
  const auto* from = reinterpret_cast<const Piece*>(out_gradient + rows.first * in.n_centres);
  const int t = static_cast<int>(threadIdx.x), n_pieces = rows.n_pieces();
  PieceOfRow at = first_piece(rows, t);
  const PieceOfRow step = step_of(rows);
  for (int first = t; first < n_pieces; first += at_once * RadialPolicy::threads) {
    Piece pieces[at_once];
#pragma unroll
    for (int i = 0; i < at_once; ++i) {
      if (first + i * RadialPolicy::threads < n_pieces) pieces[i] = from[first + i * RadialPolicy::threads];
    }
#pragma unroll
    for (int i = 0; i < at_once; ++i, at.advance(rows, step)) {
      if (first + i * RadialPolicy::threads >= n_pieces) break;
      const Piece& centres = reinterpret_cast<const Piece*>(shared.centres)[at.column];
      sums[first + i * RadialPolicy::threads] =
          gradient_of(pieces[i], centres, shared.distance[at.row], shared.envelope[at.row], in.gamma);
    }
  }
  __syncthreads();  // the sums of all pieces are written before rows are added up
  if (t >= rows.n) return;
  float sum = 0;
  for (int i = 0; i < rows.row_pieces; ++i) sum += sums[t * rows.row_pieces + i];
  gradient[rows.first + t] = shared.distance[t] >= in.cutoff ? 0 : sum;
}

/// Whether rows consist of whole 16-byte aligned pieces and are not too long.
bool is_tileable(const RadialInput& in, const float* rows) {
  return in.n_centres > 0 && in.n_centres % Piece::size == 0 && in.n_centres <= RadialPolicy::centres &&
         reinterpret_cast<std::uintptr_t>(rows) % sizeof(Piece) == 0;
}

/// The number of edges per block.
int edges_of(const RadialInput& in) {
  return static_cast<int>(
      std::min<std::int64_t>(core::tuned(edges_per_block), RadialPolicy::row_pieces * Piece::size / in.n_centres));
}

void launch_tiled(const Stream& stream, const RadialArgs& args) {
  if (!is_tileable(args.in, args.out)) return launch_fused(stream, args);
  const int edges = edges_of(args.in);
  core::launch(radial_tiled, ceil_div(args.in.n_edges, edges), RadialPolicy::threads, 0, stream, args.in, edges,
               args.out);
}

void launch_tiled(const Stream& stream, const RadialGradientArgs& args) {
  if (!is_tileable(args.in, args.out_gradient)) return launch_fused(stream, args);
  const int edges = edges_of(args.in);
  core::launch(radial_gradient_tiled, ceil_div(args.in.n_edges, edges), RadialPolicy::threads, 0, stream, args.in,
               edges, args.out_gradient, args.gradient);
}

}  // namespace

extern const RadialRung tiled{[](const Stream& stream, const auto& args) { launch_tiled(stream, args); }};

}  // namespace rafter::radial_ladder::RAFTER_BACKEND
