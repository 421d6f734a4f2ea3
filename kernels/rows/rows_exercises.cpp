// rows: the course's sum_rows, a thread per output. Its `ncols` counts the outputs and `nrows` the elements of each.
#include "lab/workload/exercise.hpp"
#include "lab/workload/workload.hpp"
#include "rows/rows_rung.hpp"

namespace rafter::rows_ladder {

namespace {

using namespace lab;
using FloatArgs = RowsArgs<float>;

std::vector<ExerciseCase> cases(const Extents& block) {
  std::vector<ExerciseCase> all;
  for (const MatrixShape& shape : {MatrixShape{200, 300}, {1, 1}, {1, 1000}, {1023, 3}, {1025, 7}, {33, 32}}) {
    const std::vector<float> in = whole_numbers(shape.n_rows * shape.n_cols, 7);
    std::vector<double> sums(static_cast<std::size_t>(shape.n_rows));
    for (std::size_t i = 0; i < in.size(); ++i)
      sums[i / static_cast<std::size_t>(shape.n_cols)] += static_cast<double>(in[i]);
    all.push_back({"ncols=" + std::to_string(shape.n_rows) + " nrows=" + std::to_string(shape.n_cols),
                   blocks_for(shape.n_rows, block.x),
                   block,
                   {unwritten(shape.n_rows), input(in), scalar(shape.n_rows), scalar(shape.n_cols)},
                   [sums](const ArraysAfter& after) { return compare_floats("dest", after[0], sums); }});
  }
  return all;
}

std::any rung(const std::shared_ptr<const LearnerKernel>& kernel) {
  return RungFunction<FloatArgs>([kernel](const Stream& stream, const FloatArgs& args) {
    const KernelValue values[] = {args.out.data(), args.in.data, args.in.n_rows, args.in.n_cols};
    kernel->launch(stream, blocks_for(args.in.n_rows, kernel->block().x), kernel->block(), values);
  });
}

}  // namespace

std::vector<Exercise> exercises() {
  const std::string dtype = "float32";
  return {{.workload = "rows",
           .kernel = "sum_rows",
           .parameters = {{"float*", "dest"}, {"const float*", "inp"}, {"int64_t", "ncols"}, {"int64_t", "nrows"}},
           .computes = "dest[c] = inp[c * nrows] + ... + inp[c * nrows + nrows - 1] for every c < ncols",
           .promise = "dest has ncols elements; nobody has written them. One thread computes one of them.",
           .block = {1024},
           .grid = "ncols / 1024 blocks, rounded up",
           .cases = cases,
           .ladder_case = Params{{"rows", std::int64_t{200}}, {"cols", std::int64_t{300}}, {"dtype", dtype}},
           .timed_case = Params{{"rows", std::int64_t{10000000}}, {"cols", std::int64_t{10}}, {"dtype", dtype}},
           .as_rung = rung}};
}

}  // namespace rafter::rows_ladder
