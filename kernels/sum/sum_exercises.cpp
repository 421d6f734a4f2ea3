// sum's exercises: sum_atomic adds every element to one number; sum_1024 writes one sum per block; sum_final is the
// host function that launches such a kernel until one sum is left.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "library/core/arithmetic.hpp"
#include "library/core/stream/backend.hpp"
#include "library/core/stream/scratch.hpp"
#include "sum/sum_rung.hpp"
#include "workbench/lab/workload/exercise.hpp"
#include "workbench/lab/workload/workload.hpp"

namespace rafter::sum_ladder {

namespace {

using namespace lab;

constexpr std::int64_t elements_per_block = 1024;
using FloatArgs = SumArgs<float>;

/// Compares the result and, where the wrong number identifies the mistake, names it. Sums of eighths are exact.
std::string compare_sum(std::span<const float> in, const Expectation& sum, std::span<const std::byte> after) {
  const std::string text = compare_within_bounds("dest", after, {&sum, 1});
  if (text.empty() || in.empty() || !std::isfinite(sum.value)) return text;
  const auto got = static_cast<double>(floats(after).front());
  if (got == 0) return text + ": nothing was added";
  const auto add_cut = [](double partial, float x) { return partial + std::trunc(static_cast<double>(x)); };
  if (got == std::accumulate(in.begin(), in.end(), 0., add_cut))
    return text + ": that is the sum of the elements cut to integers";
  if (got + static_cast<double>(in.back()) == sum.value) return text + ": that is the sum without the last element";
  if (got + static_cast<double>(in.front()) == sum.value) return text + ": that is the sum without the first element";
  return text;
}

enum class Numbers { eighths, fractions, ends_infinite, has_nan };

struct Shape {
  std::int64_t n;
  Numbers numbers = Numbers::eighths;

  std::string text() const {
    constexpr const char* words[] = {"", " with fractions", " with an infinity at the end", " with a NaN"};
    return "size=" + std::to_string(n) + words[static_cast<int>(numbers)];
  }
};

std::vector<float> elements(const Shape& shape, const CaseRequest& request) {
  const auto array = static_cast<std::uint64_t>(shape.n);
  if (shape.numbers == Numbers::eighths) return eighths(shape.n, request.of(array));
  std::vector<float> values = fractions(shape.n, request.of(array));
  if (shape.numbers == Numbers::ends_infinite) values.back() = -std::numeric_limits<float>::infinity();
  if (shape.numbers == Numbers::has_nan) values[values.size() / 2] = std::numeric_limits<float>::quiet_NaN();
  return values;
}

/// Sums of eighths are exact; others are rounded.
Expectation expected_sum(const Shape& shape, std::span<const float> values) {
  const Expectation sum = sum_of(values);
  return shape.numbers == Numbers::eighths ? Expectation{sum.value, 0} : sum;
}

std::vector<ExerciseCase> atomic_cases(const CaseRequest& request) {
  std::vector<ExerciseCase> cases;
  for (const Shape& shape : {Shape{256 * 256 * 3},
                             {1},
                             {31},
                             {1023},
                             {1025},
                             {5000},
                             {0},
                             {100, Numbers::fractions},
                             {1057, Numbers::ends_infinite},
                             {70, Numbers::has_nan}}) {
    const std::vector<float> in = elements(shape, request);
    const Expectation sum = expected_sum(shape, in);
    const Extents grid = blocks_for(shape.n, request.block.x);
    cases.push_back({.text = shape.text(),
                     .grid = grid,
                     .block = request.block,
                     .arguments = {input(in), output(std::vector<float>{0}), scalar(shape.n)},
                     .check = [in, sum](const ArraysAfter& after) { return compare_sum(in, sum, after[1]); },
                     .method = {.n_independent = shape.n,
                                .uses_atomics = shape.n > 0,
                                .share = share_of_loads(shape.n, 4, grid, request.block)}});
  }
  return cases;
}

/// A case whose elements are non-zero in the first and the last block only, where a block has `n_each` elements per
/// thread.
ExerciseCase ends_case(std::int64_t n, const CaseRequest& request, std::int64_t n_each) {
  const std::int64_t n_first = request.block.x * n_each, n_last = (n - 1) % n_first + 1;
  const std::vector<FloatPiece> in{{0, eighths(n_first, request.of(5))}, {n - n_last, eighths(n_last, request.of(6))}};
  double sum = 0;
  for (const FloatPiece& piece : in) sum = std::accumulate(piece.values.begin(), piece.values.end(), sum);
  return {.text = "size=" + std::to_string(n),
          .grid = blocks_for(n, n_first),
          .block = request.block,
          .arguments = {huge_input(n, in), output(std::vector<float>{0}), scalar(n)},
          .check =
              [sum](const ArraysAfter& after) {
                return compare_floats("dest", after[1], {&sum, 1});
              },
          .ends_only = true};
}

std::vector<ExerciseCase> huge_atomic_cases(const CaseRequest& request) {
  std::shared_ptr<const ExerciseCase> widest;
  for (const std::int64_t n_each : {16, 8, 4, 2, 1}) {
    ExerciseCase huge = ends_case((std::int64_t{1} << 32) + 700, request, n_each);
    huge.rehearsal = std::make_shared<ExerciseCase>(ends_case(64 * request.block.x * n_each + 7, request, n_each));
    huge.wider = widest;
    widest = std::make_shared<ExerciseCase>(huge);
  }
  return {*widest};
}

std::any atomic_rung(const std::shared_ptr<const LearnerKernel>& kernel) {
  return RungFunction<FloatArgs>([kernel](const Stream& stream, const FloatArgs& args) {
    core::backend(stream.device()).fill_bytes(stream.handle(), args.out, 0, sizeof *args.out);
    const std::int64_t n = std::ssize(args.in);
    const KernelValue values[] = {args.in.data(), args.out, n};
    kernel->launch(stream, blocks_for(n, kernel->block().x), kernel->block(), values);
  });
}

std::vector<ExerciseCase> block_cases(const CaseRequest& request) {
  std::vector<ExerciseCase> cases;
  for (const Shape& shape : {Shape{10241},
                             {1024},
                             {1},
                             {33},
                             {1000},
                             {1023},
                             {1025},
                             {2048},
                             {0},
                             {100, Numbers::fractions},
                             {1200, Numbers::ends_infinite},
                             {2050, Numbers::has_nan}}) {
    const std::vector<float> in = elements(shape, request);
    std::vector<Expectation> sums;
    for (std::int64_t first = 0; first == 0 || first < shape.n; first += elements_per_block) {
      const std::int64_t n = std::min(elements_per_block, shape.n - first);
      sums.push_back(
          expected_sum(shape, std::span(in).subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(n))));
    }
    const Extents grid = blocks_for(shape.n, elements_per_block);
    cases.push_back(
        {.text = shape.text(),
         .grid = grid,
         .block = request.block,
         .arguments = {input(in), unwritten(std::ssize(sums)), scalar_i32(shape.n)},
         .check = [sums](const ArraysAfter& after) { return compare_within_bounds("dest", after[1], sums); },
         .method = {.n_independent = shape.n,
                    .uses_shared = shape.n >= 64,
                    .share = share_of_loads(shape.n, 4, grid, request.block)}});
  }
  return cases;
}

/// A case of the largest size that an int can count: offsets in bytes need 64 bits.
std::vector<ExerciseCase> huge_block_cases(const CaseRequest& request) {
  constexpr std::int64_t n = std::numeric_limits<std::int32_t>::max(), n_last = (n - 1) % elements_per_block + 1;
  constexpr std::int64_t n_blocks = (n + elements_per_block - 1) / elements_per_block;
  const std::vector<FloatPiece> in{{0, eighths(elements_per_block, request.of(5))},
                                   {n - n_last, eighths(n_last, request.of(6))}},
      before{{0, {-1}}, {n_blocks - 1, {-1}}};
  std::vector<double> sums;
  for (const FloatPiece& piece : in) sums.push_back(std::accumulate(piece.values.begin(), piece.values.end(), 0.));
  return {
      {.text = "size=" + std::to_string(n),
       .grid = {n_blocks},
       .block = request.block,
       .arguments = {huge_input(n, in), huge_output(n_blocks, before), scalar_i32(n)},
       .check =
           [sums](const ArraysAfter& after) {
             return compare_floats("the first and the last sum: dest", after[1], sums);
           },
       .ends_only = true,
       .lesson = Lesson{"Smaller cases are right. Here size is the largest int: what is more than an index, such as "
                        "an offset in bytes or the index of a later element, needs 64 bits.",
                        "Compare before you add, or use int64_t."}}};
}

/// Launches the kernel until one number is left; each launch reduces 1024 numbers to one. The halves of the scratch
/// alternate as input and output.
std::any block_rung(const std::shared_ptr<const LearnerKernel>& kernel) {
  return RungFunction<FloatArgs>([kernel](const Stream& stream, const FloatArgs& args) {
    std::int64_t n = std::ssize(args.in);
    const std::int64_t most = ceil_div(n, elements_per_block);
    auto* scratch = reinterpret_cast<float*>(core::scratch(stream, 2 * most * std::int64_t{sizeof(float)}));
    const float* from = args.in.data();
    for (int pass = 0; from != args.out; ++pass) {
      const Extents grid = blocks_for(n, elements_per_block);
      float* to = grid.x == 1 ? args.out : scratch + (pass % 2) * most;
      const KernelValue values[] = {from, to, n};
      kernel->launch(stream, grid, kernel->block(), values);
      from = to;
      n = grid.x;
    }
  });
}

/// A case of the host function. Up to 1024 elements take one round of sums, up to 2^20 two, and more take three.
ExerciseCase final_case(const Shape& shape, const CaseRequest& request) {
  constexpr std::int64_t most_of_one_launch = 2 * elements_per_block;
  const std::vector<float> in = elements(shape, request);
  const Expectation sum = expected_sum(shape, in);
  const std::int64_t most = 4 * std::max(elements_per_block / 4, shape.n / 16);
  return {.text = shape.text(),
          .grid = {0},
          .block = {0},
          .arguments = {input(in), unwritten(1), scalar_i32(shape.n)},
          .check = [in, sum](const ArraysAfter& after) { return compare_sum(in, sum, after[1]); },
          .atomics = AtomicLimit{0, "Let each block write its sum, and launch again on these sums."},
          .method = {.n_independent = shape.n,
                     .n_launches = shape.n > most_of_one_launch ? 2 : 1,
                     .may_copy_to_host = false,
                     .share = {.global_loads = most, .shared_loads = 2 * most}}};
}

constexpr const char* one_round_more =
    "Launch in a loop, on the sums of the round before, until one is left; give each round the memory it needs.";

std::vector<ExerciseCase> final_cases(const CaseRequest& request) {
  std::vector<ExerciseCase> cases;
  for (const Shape& shape : {Shape{10241},
                             {1},
                             {2},
                             {1024},
                             {1025},
                             {5000},
                             {100, Numbers::fractions},
                             {1057, Numbers::ends_infinite},
                             {3000, Numbers::has_nan}})
    cases.push_back(final_case(shape, request));
  ExerciseCase two_blocks = final_case({(1 << 20) + 1025}, request);
  two_blocks.lesson = {
      "Smaller sizes are right. Here the first round leaves 1026 sums and the second leaves two: three "
      "rounds are needed.",
      one_round_more};
  cases.push_back(two_blocks);
  return cases;
}

std::vector<ExerciseCase> long_final_cases(const CaseRequest& request) {
  ExerciseCase many = final_case({(1 << 22) + 1}, request);
  many.lesson = {
      "Smaller sizes are right. Here the first round leaves 4097 sums and the second leaves five: three rounds are "
      "needed.",
      one_round_more};
  return {many};
}

Exercise final_exercise() {
  return {
      .workload = "sum",
      .kernel = "sum_final",
      .parameters = {{"const float*", "inp"}, {"float*", "dest"}, {"int", "size"}},
      .title = "host code: launches until one sum is left",
      .computes = "dest[0] = the sum of all size elements of inp, by launches that each leave a sum per block",
      .promise =
          "inp and dest are in device memory, and size is at least 1. dest is uninitialised; inp must not be changed. "
          "The function frees what it allocates.",
      .block = {1},
      .grid = "",
      .cases = final_cases,
      .huge_cases = long_final_cases,
      .ladder_case = Params{{"n", std::int64_t{10241}}, {"dtype", std::string("float32")}},
      .kind = ExerciseKind::host_function};
}

}  // namespace

std::vector<Exercise> exercises() {
  const Params large{{"n", std::int64_t{1} << 28}, {"dtype", std::string("float32")}};
  return {{.workload = "sum",
           .kernel = "sum_atomic",
           .parameters = {{"const float*", "inp"}, {"float*", "dest"}, {"int64_t", "size"}},
           .title = "the sum of an array, by atomicAdd",
           .computes = "dest[0] = the sum of all size elements of inp, each added with atomicAdd",
           .promise = "dest[0] is 0 before the launch.",
           .block = {1024},
           .grid = "size / 1024 blocks, rounded up",
           .cases = atomic_cases,
           .huge_cases = huge_atomic_cases,
           .ladder_case = Params{{"n", std::int64_t{256 * 256 * 3}}, {"dtype", std::string("float32")}},
           .timed_case = large,
           .as_rung = atomic_rung},
          {.workload = "sum",
           .kernel = "sum_1024",
           .parameters = {{"const float*", "inp"}, {"float*", "dest"}, {"int", "size"}},
           .title = "a sum for each block, in shared memory",
           .computes = "dest[i] = the sum of the 1024 elements of block i, fewer in the last block",
           .promise = "dest has one element per block and is uninitialised.",
           .block = {1024},
           .grid = "size / 1024 blocks, rounded up",
           .cases = block_cases,
           .huge_cases = huge_block_cases,
           .ladder_case = Params{{"n", std::int64_t{10241}}, {"dtype", std::string("float32")}},
           .timed_case = large,
           .as_rung = block_rung},
          final_exercise()};
}

}  // namespace rafter::sum_ladder
