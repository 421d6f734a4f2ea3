// per_op: one kernel per operation, every result stored, as a framework runs the formula and its gradient.
// Bound by DRAM: forward, five passes over [edges][centres]; backward, eleven. The backward pass first recomputes what
// autograd would have kept of the forward pass.
#include "library/core/cuda/launch.cuh"
#include "library/core/stream/scratch.hpp"
#include "radial/cuda/radial_functions.cuh"

namespace rafter::radial_ladder::RAFTER_BACKEND {

inline constexpr int per_op_threads = 256;

/// Computes out[i] = f(i).
template <class F>
__global__ void __launch_bounds__(per_op_threads) radial_map(F f, std::int64_t n, float* out) {
  const std::int64_t i = std::int64_t{blockIdx.x} * per_op_threads + threadIdx.x;
  if (i < n) out[i] = f(i);
}

// The operations, as functions of an element's index.
struct Difference {
  const float *distances, *centres;
  std::int64_t n_centres;
  __device__ float operator()(std::int64_t i) const { return distances[i / n_centres] - centres[i % n_centres]; }
};
struct Square {
  const float* x;
  __device__ float operator()(std::int64_t i) const { return x[i] * x[i]; }
};
struct Scale {
  const float* x;
  float factor;
  __device__ float operator()(std::int64_t i) const { return x[i] * factor; }
};
struct Exponential {
  const float* x;
  __device__ float operator()(std::int64_t i) const { return expf(x[i]); }
};
struct Product {
  const float *a, *b;
  __device__ float operator()(std::int64_t i) const { return a[i] * b[i]; }
};
struct ProductWithRows {
  const float *a, *row;  // a: [rows][columns], row: [rows]
  std::int64_t columns;
  __device__ float operator()(std::int64_t i) const { return a[i] * row[i / columns]; }
};
struct SumOfRow {
  const float* a;
  std::int64_t columns;
  __device__ float operator()(std::int64_t row) const {
    float sum = 0;
    for (std::int64_t k = 0; k < columns; ++k) sum += a[row * columns + k];
    return sum;
  }
};
struct Cutoff {
  const float* distances;
  float cutoff;
  __device__ float operator()(std::int64_t i) const { return envelope_of(distances[i], cutoff).value; }
};
struct CutoffSlope {
  const float* distances;
  float cutoff;
  __device__ float operator()(std::int64_t i) const { return envelope_of(distances[i], cutoff).slope; }
};
struct Sum {
  const float *a, *b;
  __device__ float operator()(std::int64_t i) const { return a[i] + b[i]; }
};

/// The scratch arrays, and the intermediate results that autograd keeps of the forward pass.
struct PerOp {
  const Stream& stream;
  const RadialInput& in;
  const core::Stages& stages;
  std::int64_t n = in.n_values();
  float* memory =
      reinterpret_cast<float*>(core::scratch(stream, (4 * n + 3 * in.n_edges) * std::int64_t{sizeof(float)}));
  float *difference = memory, *gaussians = memory + n, *wide = memory + 2 * n, *other = memory + 3 * n;  // [edges][k]
  float *cutoff = memory + 4 * n, *narrow = cutoff + in.n_edges, *slope = narrow + in.n_edges;           // [edges]

  template <class F>
  void apply(const char* stage, const F& f, std::int64_t count, float* out) const {
    stages.begin(stage);
    core::launch(radial_map<F>, ceil_div(count, per_op_threads), per_op_threads, 0, stream, f, count, out);
  }
  void forward() const {
    apply("difference", Difference{in.distances, in.centres, in.n_centres}, n, difference);
    apply("square", Square{difference}, n, wide);
    apply("scale", Scale{wide, -in.gamma}, n, wide);
    apply("exponential", Exponential{wide}, n, gaussians);
    apply("cutoff", Cutoff{in.distances, in.cutoff}, in.n_edges, cutoff);
  }
};

void run_per_op(const Stream& stream, const RadialArgs& args) {
  if (args.in.n_values() == 0) return;
  const PerOp op{stream, args.in, args.stages};
  op.forward();
  op.apply("product", ProductWithRows{op.gaussians, op.cutoff, args.in.n_centres}, op.n, args.out);
}

void run_per_op(const Stream& stream, const RadialGradientArgs& args) {
  const PerOp op{stream, args.in, args.stages};
  const std::int64_t columns = args.in.n_centres, rows = args.in.n_edges;
  if (rows == 0) return;
  op.forward();
  op.apply("cutoff backward", Product{args.out_gradient, op.gaussians}, op.n, op.wide);
  op.apply("cutoff backward", SumOfRow{op.wide, columns}, rows, op.narrow);
  op.apply("cutoff backward", CutoffSlope{args.in.distances, args.in.cutoff}, rows, op.slope);
  op.apply("cutoff backward", Product{op.narrow, op.slope}, rows, op.slope);
  op.apply("product backward", ProductWithRows{args.out_gradient, op.cutoff, columns}, op.n, op.wide);
  op.apply("exponential backward", Product{op.wide, op.gaussians}, op.n, op.other);
  op.apply("scale backward", Scale{op.other, -2 * args.in.gamma}, op.n, op.wide);
  op.apply("square backward", Product{op.wide, op.difference}, op.n, op.other);
  op.apply("difference backward", SumOfRow{op.other, columns}, rows, op.narrow);
  op.apply("sum", Sum{op.narrow, op.slope}, rows, args.gradient);
}

extern const RadialRung per_op{[](const Stream& stream, const auto& args) { run_per_op(stream, args); }};

}  // namespace rafter::radial_ladder::RAFTER_BACKEND
