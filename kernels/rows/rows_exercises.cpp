// rows' exercises: sum_rows, one thread per output, and its variant for 16-bit floats. In the course's signature
// `ncols` counts the outputs and `nrows` the elements of each.
#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "rows/rows_rung.hpp"
#include "workbench/lab/workload/exercise.hpp"
#include "workbench/lab/workload/workload.hpp"

namespace rafter::rows_ladder {

namespace {

using namespace lab;

enum class Numbers { eighths, fractions, infinite };

struct Shape {
  MatrixShape matrix;
  Numbers numbers = Numbers::eighths;

  std::string text() const {
    constexpr const char* words[] = {"", " with fractions", " with infinities"};
    return fmt::format("ncols={} nrows={}{}", matrix.n_rows, matrix.n_cols, words[static_cast<int>(numbers)]);
  }
};

/// Returns the elements; infinite ones are the last of a row, next to the first of another.
std::vector<float> elements(const Shape& shape, const CaseRequest& request) {
  const std::int64_t n = shape.matrix.n_rows * shape.matrix.n_cols;
  if (shape.numbers == Numbers::fractions) return fractions(n, request.of(7));
  std::vector<float> values = eighths(n, request.of(7));
  if (shape.numbers == Numbers::eighths) return values;
  for (std::int64_t row = 1; row < shape.matrix.n_rows; row += 3) {  // their sum is NaN
    values[static_cast<std::size_t>(row * shape.matrix.n_cols)] = std::numeric_limits<float>::infinity();
    values[static_cast<std::size_t>((row + 1) * shape.matrix.n_cols - 1)] = -std::numeric_limits<float>::infinity();
  }
  for (std::int64_t row = 0; row < shape.matrix.n_rows; row += 3)
    values[static_cast<std::size_t>((row + 1) * shape.matrix.n_cols - 1)] =
        row % 2 == 0 ? std::numeric_limits<float>::infinity() : std::numeric_limits<float>::quiet_NaN();
  return values;
}

std::vector<ExerciseCase> cases(const CaseRequest& request) {
  std::vector<ExerciseCase> all;
  for (const Shape& shape : {Shape{{200, 300}},
                             {{1, 1}},
                             {{1, 1000}},
                             {{1023, 3}},
                             {{1025, 7}},
                             {{33, 32}},
                             {{40, 0}},
                             {{2, 70000}},
                             {{70, 50}, Numbers::fractions},
                             {{50, 9}, Numbers::infinite},
                             {{0, 5}}}) {
    const auto [n_rows, n_cols] = shape.matrix;
    const std::vector<float> in = elements(shape, request);
    std::vector<Expectation> sums;
    for (std::int64_t row = 0; row < n_rows; ++row) {
      sums.push_back(
          sum_of(std::span(in).subspan(static_cast<std::size_t>(row * n_cols), static_cast<std::size_t>(n_cols))));
      if (shape.numbers != Numbers::fractions) sums.back().bound = 0;
    }
    all.push_back({.text = shape.text(),
                   .grid = blocks_for(n_rows, request.block.x),
                   .block = request.block,
                   .arguments = {unwritten(n_rows), input(in), scalar(n_rows), scalar(n_cols)},
                   .check = [sums](const ArraysAfter& after) { return compare_within_bounds("dest", after[0], sums); },
                   .method = {.n_independent = n_rows, .share = share_of_results(8, 4 * n_cols, 4, request.block)}});
  }
  return all;
}

/// A case whose elements are non-zero in the rows of the first and the last block only.
template <class T>
ExerciseCase ends_case(const MatrixShape& shape, const CaseRequest& request) {
  const std::int64_t n_rows = shape.n_rows, n_cols = shape.n_cols, n_block = request.block.x;
  const std::int64_t n_last = (n_rows - 1) % n_block + 1;
  std::vector<HugePiece<T>> in, before;
  std::vector<double> sums;
  for (const auto& [first, n] : {std::pair(std::int64_t{0}, n_block), std::pair(n_rows - n_last, n_last)}) {
    const std::vector<float> values = eighths(n * n_cols, request.of(first == 0 ? 9 : 10));
    in.push_back({first * n_cols, std::vector<T>(values.begin(), values.end())});
    before.push_back({first, std::vector<T>(static_cast<std::size_t>(n), T(-1.F))});
    for (std::int64_t row = 0; row < n; ++row) {
      const auto begin = values.begin() + row * n_cols;
      sums.push_back(
          static_cast<double>(static_cast<float>(T(static_cast<float>(std::accumulate(begin, begin + n_cols, 0.))))));
    }
  }
  return {
      .text = "ncols=" + std::to_string(n_rows) + " nrows=" + std::to_string(n_cols),
      .grid = blocks_for(n_rows, n_block),
      .block = request.block,
      .arguments = {huge_output<T>(n_rows, before), huge_input<T>(n_rows * n_cols, in), scalar(n_rows), scalar(n_cols)},
      .check = [sums, n_rows, n_last, n_block](const ArraysAfter& after) -> std::string {
        const std::vector<T> now = elements_in<T>(after[0]);
        for (std::size_t i = 0; i < now.size(); ++i) {
          if (static_cast<double>(static_cast<float>(now[i])) == sums[i]) continue;
          const auto row = static_cast<std::int64_t>(i);
          return fmt::format("dest[{}]: expected {}, got {}", row < n_block ? row : n_rows - n_last + row - n_block,
                             sums[i], static_cast<float>(now[i]));
        }
        return "";
      },
      .ends_only = true};
}

/// Many elements, and many sums.
template <class T>
std::vector<ExerciseCase> huge_cases(const CaseRequest& request) {
  std::vector<ExerciseCase> all;
  for (const MatrixShape& shape :
       {MatrixShape{(std::int64_t{1} << 32) / 100 + 1000, 100}, {(std::int64_t{1} << 32) + 1000, 1}}) {
    all.push_back(ends_case<T>(shape, request));
    all.back().rehearsal =
        std::make_shared<ExerciseCase>(ends_case<T>({64 * request.block.x + 7, shape.n_cols}, request));
  }
  constexpr std::int64_t n = (std::int64_t{1} << 32) + 5;  // elements of one row: a thread cannot add them in a second
  const std::vector<HugePiece<T>> in{{0, {T(1.F)}}}, before{{0, {T(-1.F)}}};
  all.push_back({.text = "ncols=1 nrows=" + std::to_string(n),
                 .grid = {1},
                 .block = request.block,
                 .arguments = {huge_output<T>(1, before), huge_input<T>(n, in), scalar(std::int64_t{1}), scalar(n)},
                 .check = [](const ArraysAfter&) { return "it ended before it could have visited all elements"; },
                 .is_endless = true,
                 .lesson = Lesson{"Smaller cases are right. Here nrows needs more than 32 bits.",
                                  "Keep nrows, and every index up to it, in 64 bits."}});
  return all;
}

/// A case whose sums overflow the precision of 16 bits: the kernel must add in 32 bits and round once.
ExerciseCase half_case(const Shape& shape, const CaseRequest& request) {
  const auto [n_rows, n_cols] = shape.matrix;
  std::vector<Half> in, expected, in_16_bits;
  std::vector<float> values = elements(shape, request);
  for (float& x : values) {
    if (shape.numbers == Numbers::eighths) x = std::abs(x);
    in.emplace_back(x);
  }
  for (std::int64_t row = 0; row < n_rows; ++row) {
    float sum = 0;
    Half narrow(0.F);
    for (std::int64_t col = 0; col < n_cols; ++col) {
      const auto x = static_cast<float>(in[static_cast<std::size_t>(row * n_cols + col)]);
      sum += x;
      narrow = Half(static_cast<float>(narrow) + x);
    }
    expected.emplace_back(sum);
    in_16_bits.push_back(narrow);
  }
  return {.text = shape.text(),
          .grid = blocks_for(n_rows, request.block.x),
          .block = request.block,
          .arguments = {unwritten_halves(n_rows), input(in), scalar(n_rows), scalar(n_cols)},
          .check =
              [=](const ArraysAfter& after) {
                const std::string text = compare_halves("dest", after[0], expected);
                const bool is_narrow = !text.empty() && compare_halves("dest", after[0], in_16_bits).empty();
                return text +
                       (is_narrow ? "; that is what a sum of 16 bits gives: add in a float, and round at the end" : "");
              },
          .method = {.n_independent = n_rows, .share = share_of_results(8, 2 * n_cols, 2, request.block)}};
}

/// Halves with fractions have an exact sum in a float if they are few.
std::vector<ExerciseCase> half_cases(const CaseRequest& request) {
  std::vector<ExerciseCase> all;
  for (const Shape& shape : {Shape{{200, 300}},
                             {{1, 1}},
                             {{1, 3000}},
                             {{2, 70000}},
                             {{1025, 7}},
                             {{33, 32}},
                             {{40, 0}},
                             {{300, 3}, Numbers::fractions},
                             {{50, 9}, Numbers::infinite},
                             {{0, 5}}})
    all.push_back(half_case(shape, request));
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
      .promise =
          "dest has ncols elements and is uninitialised. One thread computes one of them. "
          "Both sizes may be 0, or more than 32 bits can count.",
      .block = {1024},
      .grid = "ncols / 1024 blocks, rounded up",
      .cases = cases,
      .huge_cases = huge_cases<float>,
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
  halves.huge_cases = huge_cases<Half>;
  halves.as_rung = rung<Half>;
  return {exercise("sum_rows", "float", "float32"), halves};
}

}  // namespace rafter::rows_ladder
