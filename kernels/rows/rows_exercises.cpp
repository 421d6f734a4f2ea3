// rows' exercises: sum_rows, one thread per output, and its variant for 16-bit floats. In the course's signature
// `ncols` counts the outputs and `nrows` the elements of each.
#include <fmt/format.h>

#include <cmath>
#include <numeric>

#include "rows/rows_rung.hpp"
#include "workbench/lab/workload/exercise.hpp"
#include "workbench/lab/workload/workload.hpp"

namespace rafter::rows_ladder {

namespace {

using namespace lab;

std::vector<ExerciseCase> cases(const Extents& block) {
  std::vector<ExerciseCase> all;
  for (const MatrixShape& shape : {MatrixShape{200, 300}, {1, 1}, {1, 1000}, {1023, 3}, {1025, 7}, {33, 32}}) {
    const std::vector<float> in = eighths(shape.n_rows * shape.n_cols, 7);
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

/// A case whose elements are non-zero in the rows of the first and the last block only.
ExerciseCase ends_case(const MatrixShape& shape, const Extents& block) {
  const std::int64_t n_rows = shape.n_rows, n_cols = shape.n_cols;
  const std::int64_t n_last = (n_rows - 1) % block.x + 1;
  std::vector<FloatPiece> in, before;
  std::vector<double> sums;
  for (const auto& [first, n] : {std::pair(std::int64_t{0}, block.x), std::pair(n_rows - n_last, n_last)}) {
    in.push_back({first * n_cols, eighths(n * n_cols, 9)});
    before.push_back({first, std::vector<float>(static_cast<std::size_t>(n), -1)});
    for (std::int64_t row = 0; row < n; ++row) {
      const auto begin = in.back().values.begin() + row * n_cols;
      sums.push_back(std::accumulate(begin, begin + n_cols, 0.));
    }
  }
  return {.text = "ncols=" + std::to_string(n_rows) + " nrows=" + std::to_string(n_cols),
          .grid = blocks_for(n_rows, block.x),
          .block = block,
          .arguments = {huge_output(n_rows, before), huge_input(n_rows * n_cols, in), scalar(n_rows), scalar(n_cols)},
          .check = [sums, n_rows, n_last, per_block = block.x](const ArraysAfter& after) -> std::string {
            const std::vector<float> now = floats(after[0]);
            for (std::size_t i = 0; i < now.size(); ++i) {
              if (static_cast<double>(now[i]) == sums[i]) continue;
              const auto row = static_cast<std::int64_t>(i);
              return fmt::format("dest[{}]: expected {}, got {}",
                                 row < per_block ? row : n_rows - n_last + row - per_block, sums[i], now[i]);
            }
            return "";
          },
          .ends_only = true};
}

std::vector<ExerciseCase> huge_cases(const Extents& block) {
  ExerciseCase huge = ends_case({(std::int64_t{1} << 32) / 100 + 1000, 100}, block);
  huge.rehearsal = std::make_shared<ExerciseCase>(ends_case({64 * block.x + 7, 100}, block));
  return {huge};
}

/// A case whose sums overflow the precision of 16 bits: the kernel must add in 32 bits and round once.
ExerciseCase half_case(const MatrixShape& shape, const Extents& block) {
  std::vector<Half> in, expected;
  const std::vector<float> values = eighths(shape.n_rows * shape.n_cols, 13);
  double sum = 0;
  std::vector<Half> in_16_bits;
  Half narrow(0.F);
  for (std::size_t i = 0; i < values.size(); ++i) {
    in.emplace_back(std::abs(values[i]));
    sum += static_cast<double>(in.back());
    narrow = Half(static_cast<float>(narrow) + static_cast<float>(in.back()));
    if ((i + 1) % static_cast<std::size_t>(shape.n_cols) != 0) continue;
    expected.emplace_back(sum);
    in_16_bits.push_back(narrow);
    sum = 0;
    narrow = Half(0.F);
  }
  return {"ncols=" + std::to_string(shape.n_rows) + " nrows=" + std::to_string(shape.n_cols),
          blocks_for(shape.n_rows, block.x),
          block,
          {unwritten_halves(shape.n_rows), input(in), scalar(shape.n_rows), scalar(shape.n_cols)},
          [=](const ArraysAfter& after) {
            const std::string text = compare_halves("dest", after[0], expected);
            const bool is_narrow = !text.empty() && compare_halves("dest", after[0], in_16_bits).empty();
            return text +
                   (is_narrow ? "; that is what a sum of 16 bits gives: add in a float, and round at the end" : "");
          }};
}

std::vector<ExerciseCase> half_cases(const Extents& block) {
  std::vector<ExerciseCase> all;
  for (const MatrixShape& shape : {MatrixShape{200, 300}, {1, 1}, {1, 3000}, {1025, 7}, {33, 32}})
    all.push_back(half_case(shape, block));
  return all;
}

template <class T>
std::any rung(const std::shared_ptr<const LearnerKernel>& kernel) {
  return RungFunction<RowsArgs<T>>([kernel](const Stream& stream, const RowsArgs<T>& args) {
    const KernelValue values[] = {args.out.data(), args.in.data, args.in.n_rows, args.in.n_cols};
    kernel->launch(stream, blocks_for(args.in.n_rows, kernel->block().x), kernel->block(), values);
  });
}

Params on_ladder(std::int64_t n_rows, std::int64_t n_cols, const char* dtype) {
  return {{"rows", n_rows}, {"cols", n_cols}, {"dtype", std::string(dtype)}};
}

Exercise exercise(const std::string& kernel, const std::string& type, const char* dtype) {
  return {
      .workload = "rows",
      .kernel = kernel,
      .parameters = {{type + "*", "dest"}, {"const " + type + "*", "inp"}, {"int64_t", "ncols"}, {"int64_t", "nrows"}},
      .title = "a sum for each row, one thread per row",
      .computes = "dest[c] = inp[c * nrows] + ... + inp[c * nrows + nrows - 1] for every c < ncols",
      .promise = "dest has ncols elements and is uninitialised. One thread computes one of them.",
      .block = {1024},
      .grid = "ncols / 1024 blocks, rounded up",
      .cases = cases,
      .huge_cases = huge_cases,
      .ladder_case = on_ladder(200, 300, dtype),
      .timed_case = on_ladder(10000000, 10, dtype),
      .as_rung = rung<float>};
}

}  // namespace

std::vector<Exercise> exercises() {
  Exercise halves = exercise("sum_rows_half", "__half", "float16");
  halves.title = "the same with floats of 16 bits";
  halves.computes += ", added in 32 bits and rounded once";
  halves.cases = half_cases;
  halves.huge_cases = nullptr;
  halves.as_rung = rung<Half>;
  return {exercise("sum_rows", "float", "float32"), halves};
}

}  // namespace rafter::rows_ladder
