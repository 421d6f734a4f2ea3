// transpose: a bonus of the course, by blocks of 32 x 32 threads.
#include "core/arithmetic.hpp"
#include "lab/workload/exercise.hpp"
#include "lab/workload/workload.hpp"
#include "transpose/transpose_rung.hpp"

namespace rafter::transpose_ladder {

namespace {

using namespace lab;

/// The family moves elements of 4 bytes, whatever they mean.
using FloatArgs = TransposeArgs<std::uint32_t>;

struct Shape {
  std::int64_t n_rows, n_cols;
};

std::vector<ExerciseCase> cases(const Extents& block) {
  std::vector<ExerciseCase> all;
  for (const auto& [n_rows, n_cols] : {Shape{128, 128}, {1, 1}, {33, 31}, {1, 100}, {100, 1}, {70, 130}}) {
    std::vector<float> in(static_cast<std::size_t>(n_rows * n_cols));
    std::vector<double> expected(in.size());
    for (std::int64_t row = 0; row < n_rows; ++row) {
      for (std::int64_t col = 0; col < n_cols; ++col) {
        in[static_cast<std::size_t>(row * n_cols + col)] = static_cast<float>(row * n_cols + col);
        expected[static_cast<std::size_t>(col * n_rows + row)] = static_cast<double>(row * n_cols + col);
      }
    }
    all.push_back({"nrows=" + std::to_string(n_rows) + " ncols=" + std::to_string(n_cols),
                   {ceil_div(n_cols, block.x), ceil_div(n_rows, block.y)},
                   block,
                   {input(in), unwritten(n_rows * n_cols), scalar(n_rows), scalar(n_cols)},
                   [expected](const ArraysAfter& after) { return compare_floats("dest", after[1], expected); }});
  }
  return all;
}

Params square(std::int64_t n) { return {{"rows", n}, {"cols", n}, {"element", std::string("4")}}; }

std::any rung(const std::shared_ptr<const LearnerKernel>& kernel) {
  return RungFunction<FloatArgs>([kernel](const Stream& stream, const FloatArgs& args) {
    const auto [n_rows, n_cols] = args.in.shape();
    const Extents& block = kernel->block();
    const KernelValue values[] = {args.in.data, args.out.data, n_rows, n_cols};
    kernel->launch(stream, {ceil_div(n_cols, block.x), ceil_div(n_rows, block.y)}, block, values);
  });
}

}  // namespace

std::vector<Exercise> exercises() {
  return {{.workload = "transpose",
           .kernel = "transpose",
           .parameters = {{"const float*", "inp"}, {"float*", "dest"}, {"int64_t", "nrows"}, {"int64_t", "ncols"}},
           .computes = "dest[c * nrows + r] = inp[r * ncols + c] for r < nrows, c < ncols",
           .promise = "dest has as many elements as inp; nobody has written them.",
           .block = {32, 32},
           .grid = "ncols / 32 x nrows / 32 blocks, rounded up",
           .cases = cases,
           .ladder_case = square(128),
           .timed_case = square(16384),
           .as_rung = rung}};
}

}  // namespace rafter::transpose_ladder
