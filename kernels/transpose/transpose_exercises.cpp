// transpose's exercise: blocks of 32 x 32 threads.
#include <fmt/format.h>

#include <bit>

#include "library/core/arithmetic.hpp"
#include "transpose/transpose_rung.hpp"
#include "workbench/lab/workload/exercise.hpp"
#include "workbench/lab/workload/workload.hpp"

namespace rafter::transpose_ladder {

namespace {

using namespace lab;

/// Elements of 4 bytes: the family moves them without interpreting them.
using FloatArgs = TransposeArgs<std::uint32_t>;

struct Shape {
  std::int64_t n_rows, n_cols;
};

ExerciseCase make_case(const Shape& shape, const CaseRequest& request) {
  const auto [n_rows, n_cols] = shape;
  std::vector<float> in(static_cast<std::size_t>(n_rows * n_cols));
  const float first = static_cast<float>(request.seed % 1000) + 0.25F;
  for (std::size_t i = 0; i < in.size(); ++i)
    in[i] = std::bit_cast<float>(std::bit_cast<std::uint32_t>(static_cast<float>(i) + first) |
                                 static_cast<std::uint32_t>(i % 8));
  in = with_special(in);
  std::vector<float> expected(in.size());
  for (std::size_t i = 0; i < in.size(); ++i) {
    const auto row = static_cast<std::int64_t>(i) / n_cols, col = static_cast<std::int64_t>(i) % n_cols;
    expected[static_cast<std::size_t>(col * n_rows + row)] = in[i];
  }
  const Extents& block = request.block;
  return {.text = "nrows=" + std::to_string(n_rows) + " ncols=" + std::to_string(n_cols),
          .grid = {blocks_for(n_cols, block.x).x, blocks_for(n_rows, block.y).x},
          .block = block,
          .arguments = {input(in), unwritten(n_rows * n_cols), scalar(n_rows), scalar(n_cols)},
          .check = [expected](const ArraysAfter& after) { return compare_moved("dest", after[1], expected); },
          .method = {.n_independent = n_rows >= 32 && n_cols >= 32 ? n_rows * n_cols : 0,
                     .share = share_of_results(64, 4, 4, block)}};
}

std::vector<ExerciseCase> cases(const CaseRequest& request) {
  std::vector<ExerciseCase> all;
  for (const Shape& shape :
       {Shape{128, 128}, {1, 1}, {33, 31}, {1, 100}, {100, 1}, {70, 130}, {130, 65}, {0, 5}, {5, 0}})
    all.push_back(make_case(shape, request));
  return all;
}

/// A case where only the first and the last element, in two different blocks, are not 0.
ExerciseCase corners_case(const Shape& shape, const CaseRequest& request) {
  const auto [n_rows, n_cols] = shape;
  const std::int64_t n = n_rows * n_cols;
  const std::vector<FloatPiece> in{{0, {1.25F}}, {n - 1, {4.25F}}}, before{{0, {-1}}, {n - 1, {-1}}};
  return {.text = "nrows=" + std::to_string(n_rows) + " ncols=" + std::to_string(n_cols),
          .grid = {ceil_div(n_cols, request.block.x), ceil_div(n_rows, request.block.y)},
          .block = request.block,
          .arguments = {huge_input(n, in), huge_output(n, before), scalar(n_rows), scalar(n_cols)},
          .check = [n](const ArraysAfter& after) -> std::string {
            const std::vector<float> now = floats(after[1]);
            if (now[0] != 1.25F) return fmt::format("dest[0]: expected 1.25, got {}", now[0]);
            return now[1] == 4.25F ? "" : fmt::format("dest[{}]: expected 4.25, got {}", n - 1, now[1]);
          },
          .ends_only = true};
}

/// More than 2^32 elements, in a square and in one row.
std::vector<ExerciseCase> huge_cases(const CaseRequest& request) {
  ExerciseCase square = corners_case({65600, 65600}, request),
               flat = corners_case({1, (std::int64_t{1} << 32) + 700}, request);
  square.rehearsal = std::make_shared<ExerciseCase>(corners_case({464, 464}, request));
  flat.rehearsal = std::make_shared<ExerciseCase>(corners_case({1, 4000}, request));
  return {square, flat};
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
           .title = "rows become columns",
           .computes = "dest[c * nrows + r] = inp[r * ncols + c] for r < nrows, c < ncols",
           .promise = "dest has as many elements as inp and is uninitialised.",
           .block = {32, 32},
           .grid = "ncols / 32 x nrows / 32 blocks, rounded up",
           .cases = cases,
           .huge_cases = huge_cases,
           .ladder_case = square(128),
           .timed_case = square(16384),
           .as_rung = rung}};
}

}  // namespace rafter::transpose_ladder
