// per_op: one kernel per operation, every result stored, as a framework runs the formulas and their gradient.
// Bound by DRAM: the forward pass has eight launches. The backward pass first recomputes what autograd would have kept;
// the sums over atoms use the plan, so there are no atomics here either.
#include "edges/cuda/edges_geometry.cuh"
#include "library/core/cuda/launch.cuh"
#include "library/core/stream/scratch.hpp"

namespace rafter::edges_ladder::RAFTER_BACKEND {

inline constexpr int per_op_threads = 256;

/// Computes out[i] = f(i).
template <class F>
__global__ void __launch_bounds__(per_op_threads) edges_map(F f, std::int64_t n, float* out) {
  const std::int64_t i = std::int64_t{blockIdx.x} * per_op_threads + threadIdx.x;
  if (i < n) out[i] = f(i);
}

// The operations, as functions of an element's index; rows have three elements.
template <class Index>
struct GatherRows {
  const float* rows;
  const Index* indices;  // `stride` apart
  std::int64_t stride;
  __device__ float operator()(std::int64_t i) const { return rows[3 * std::int64_t{indices[i / 3 * stride]} + i % 3]; }
};
struct Difference {
  const float *a, *b;
  __device__ float operator()(std::int64_t i) const { return a[i] - b[i]; }
};
struct Sum {
  const float *a, *b;
  __device__ float operator()(std::int64_t i) const { return a[i] + b[i]; }
};
struct Product {
  const float *a, *b;
  __device__ float operator()(std::int64_t i) const { return a[i] * b[i]; }
};
struct SumOfRow {
  const float* a;
  __device__ float operator()(std::int64_t i) const { return a[3 * i] + a[3 * i + 1] + a[3 * i + 2]; }
};
struct Root {
  const float* a;
  __device__ float operator()(std::int64_t i) const { return sqrtf(a[i]); }
};
struct PlusEpsilon {
  const float* a;
  __device__ float operator()(std::int64_t i) const { return a[i] + unit_epsilon; }
};
struct RowsOver {
  const float *a, *divisors;  // a: [n][3], divisors: [n]
  __device__ float operator()(std::int64_t i) const { return a[i] / divisors[i / 3]; }
};
struct RowsTimes {
  const float *a, *factors;  // a: [n][3], factors: [n]
  __device__ float operator()(std::int64_t i) const { return a[i] * factors[i / 3]; }
};
struct QuotientOrZero {
  const float *a, *b;
  __device__ float operator()(std::int64_t i) const { return b[i] == 0 ? 0 : a[i] / b[i]; }
};
/// The sum over the ends that an atom has as source (which = 0) or as target (1).
struct SumOfEnds {
  const float* by_edge;  // [n][3]
  const EdgePlan::End* ends;
  const std::int32_t* first_ends;
  int which;
  __device__ float operator()(std::int64_t i) const {
    const std::int64_t list = 2 * (i / 3) + which;
    float sum = 0;
    for (std::int32_t k = first_ends[list]; k < first_ends[list + 1]; ++k)
      sum += by_edge[3 * std::int64_t{ends[k].edge} + i % 3];
    return sum;
  }
};

/// The scratch arrays, and the operations of the forward pass.
struct PerOp {
  const Stream& stream;
  const core::Stages& stages;
  std::int64_t n;  // edges
  std::int64_t n_atoms;
  float* memory = reinterpret_cast<float*>(core::scratch(stream, (18 * n + 6 * n_atoms) * std::int64_t{sizeof(float)}));
  float *a = memory, *b = a + 3 * n, *vectors = b + 3 * n, *units = vectors + 3 * n, *squares = units + 3 * n;
  float *sums = squares + 3 * n, *distances = sums + n, *divisors = distances + n;  // [n], the others [n][3]
  float *as_source = divisors + n, *as_target = as_source + 3 * n_atoms;

  template <class F>
  void apply(const char* stage, const F& f, std::int64_t count, float* out) const {
    stages.begin(stage);
    core::launch(edges_map<F>, ceil_div(count, per_op_threads), per_op_threads, 0, stream, f, count, out);
  }

  template <class Index>
  void forward(const GatherRows<Index>& sources, const GatherRows<Index>& targets,
               const EdgePointers<float>& out) const {
    apply("gather", sources, 3 * n, a);
    apply("gather", targets, 3 * n, b);
    apply("difference", Difference{a, b}, 3 * n, out.vectors);
    apply("square", Product{out.vectors, out.vectors}, 3 * n, squares);
    apply("sum", SumOfRow{squares}, n, sums);
    apply("root", Root{sums}, n, out.distances);
    apply("divisor", PlusEpsilon{out.distances}, n, divisors);
    apply("quotient", RowsOver{out.vectors, divisors}, 3 * n, out.units);
  }
};

void run_per_op(const Stream& stream, const EdgeVectorArgs& args) {
  if (args.n_edges == 0) return;
  const PerOp op{stream, args.stages, args.n_edges, 0};
  op.forward<std::int64_t>({args.positions, args.sources, 1}, {args.positions, args.targets, 1}, args.out);
}

void run_per_op(const Stream& stream, const EdgeGradientArgs& args) {
  const PerOp op{stream, args.stages, args.n_edges, args.n_atoms};
  const auto& [by_vector, by_distance, by_unit] = args.out_gradient;
  const std::int64_t n = args.n_edges, n_rows = 3 * n, n_results = 3 * args.n_atoms;
  if (n > 0) {
    const auto* atoms = &args.pairs->source;
    op.forward<std::int32_t>({args.positions, atoms, 2}, {args.positions, atoms + 1, 2},
                             {op.vectors, op.distances, op.units});
  }
  op.apply("quotient backward", RowsOver{by_unit, op.divisors}, n_rows, op.a);
  op.apply("quotient backward", Product{op.a, op.units}, n_rows, op.squares);
  op.apply("quotient backward", SumOfRow{op.squares}, n, op.sums);
  op.apply("root backward", Difference{by_distance, op.sums}, n, op.divisors);
  op.apply("root backward", QuotientOrZero{op.divisors, op.distances}, n, op.sums);
  op.apply("square backward", RowsTimes{op.vectors, op.sums}, n_rows, op.squares);
  op.apply("sum backward", Sum{op.a, op.squares}, n_rows, op.b);
  op.apply("sum backward", Sum{op.b, by_vector}, n_rows, op.a);
  op.apply("gather backward", SumOfEnds{op.a, args.ends, args.first_ends, 0}, n_results, op.as_source);
  op.apply("gather backward", SumOfEnds{op.a, args.ends, args.first_ends, 1}, n_results, op.as_target);
  op.apply("difference backward", Difference{op.as_source, op.as_target}, n_results, args.gradient);
}

extern const EdgesRung per_op{[](const Stream& stream, const auto& args) { run_per_op(stream, args); }};

}  // namespace rafter::edges_ladder::RAFTER_BACKEND
