// sum's exercises: sum_atomic adds every element to one number; sum_1024 writes one sum per block; sum_final is the
// host function that launches such a kernel until one sum is left.
#include <cmath>
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
std::string compare_sum(std::span<const float> in, double sum, std::span<const std::byte> after) {
  const std::string text = compare_floats("dest", after, {&sum, 1});
  if (text.empty() || in.empty()) return text;
  const auto got = static_cast<double>(floats(after).front());
  if (got == 0) return text + ": nothing was added";
  const auto add_cut = [](double partial, float x) { return partial + std::trunc(static_cast<double>(x)); };
  if (got == std::accumulate(in.begin(), in.end(), 0., add_cut))
    return text + ": that is the sum of the elements cut to integers";
  if (got + static_cast<double>(in.back()) == sum) return text + ": that is the sum without the last element";
  if (got + static_cast<double>(in.front()) == sum) return text + ": that is the sum without the first element";
  return text;
}

std::vector<ExerciseCase> atomic_cases(const Extents& block) {
  std::vector<ExerciseCase> cases;
  for (const std::int64_t n : {256 * 256 * 3, 1, 31, 1023, 1025, 5000, 0}) {
    const std::vector<float> in = eighths(n, static_cast<std::uint64_t>(n));
    const double sum = std::accumulate(in.begin(), in.end(), 0.);
    cases.push_back({"size=" + std::to_string(n),
                     blocks_for(n, block.x),
                     block,
                     {input(in), output(std::vector<float>{0}), scalar(n)},
                     [in, sum](const ArraysAfter& after) { return compare_sum(in, sum, after[1]); }});
  }
  return cases;
}

/// A case whose elements are non-zero in the first and the last block only.
ExerciseCase ends_case(std::int64_t n, const Extents& block) {
  const std::int64_t n_last = (n - 1) % block.x + 1;
  const std::vector<FloatPiece> in{{0, eighths(block.x, 5)}, {n - n_last, eighths(n_last, 6)}};
  double sum = 0;
  for (const FloatPiece& piece : in) sum = std::accumulate(piece.values.begin(), piece.values.end(), sum);
  return {.text = "size=" + std::to_string(n),
          .grid = blocks_for(n, block.x),
          .block = block,
          .arguments = {huge_input(n, in), output(std::vector<float>{0}), scalar(n)},
          .check =
              [sum](const ArraysAfter& after) {
                return compare_floats("dest", after[1], {&sum, 1});
              },
          .ends_only = true};
}

std::vector<ExerciseCase> huge_atomic_cases(const Extents& block) {
  ExerciseCase huge = ends_case((std::int64_t{1} << 32) + 700, block);
  huge.rehearsal = std::make_shared<ExerciseCase>(ends_case(64 * block.x + 7, block));
  return {huge};
}

std::any atomic_rung(const std::shared_ptr<const LearnerKernel>& kernel) {
  return RungFunction<FloatArgs>([kernel](const Stream& stream, const FloatArgs& args) {
    core::backend(stream.device()).fill_bytes(stream.handle(), args.out, 0, sizeof *args.out);
    const std::int64_t n = std::ssize(args.in);
    const KernelValue values[] = {args.in.data(), args.out, n};
    kernel->launch(stream, blocks_for(n, kernel->block().x), kernel->block(), values);
  });
}

std::vector<ExerciseCase> block_cases(const Extents& block) {
  std::vector<ExerciseCase> cases;
  for (const std::int64_t n : {10241, 1024, 1, 33, 1000, 1023, 1025, 2048}) {
    const std::vector<float> in = eighths(n, static_cast<std::uint64_t>(n));
    std::vector<double> sums(static_cast<std::size_t>(ceil_div(n, elements_per_block)));
    for (std::size_t i = 0; i < in.size(); ++i) sums[i / elements_per_block] += static_cast<double>(in[i]);
    cases.push_back({"size=" + std::to_string(n),
                     blocks_for(n, elements_per_block),
                     block,
                     {input(in), unwritten(std::ssize(sums)), scalar_i32(n)},
                     [sums](const ArraysAfter& after) { return compare_floats("dest", after[1], sums); }});
  }
  return cases;
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

/// A case of n elements; the sizes used take one, two and three rounds of sums of 1024.
ExerciseCase final_case(std::int64_t n) {
  const std::vector<float> in = eighths(n, static_cast<std::uint64_t>(n));
  const double sum = std::accumulate(in.begin(), in.end(), 0.);
  return {"size=" + std::to_string(n),
          {0},
          {0},
          {input(in), unwritten(1), scalar_i32(n)},
          [in, sum](const ArraysAfter& after) { return compare_sum(in, sum, after[1]); }};
}

std::vector<ExerciseCase> final_cases(const Extents&) {
  std::vector<ExerciseCase> cases;
  for (const std::int64_t n : {10241, 1, 2, 1024, 1025, 5000}) cases.push_back(final_case(n));
  return cases;
}

std::vector<ExerciseCase> long_final_cases(const Extents&) {
  ExerciseCase three_rounds = final_case((1 << 20) + 1);
  three_rounds.lesson = {
      "Smaller sizes are right. Here the first round leaves 1025 sums and the second leaves two: three rounds are "
      "needed.",
      "Launch in a loop, on the sums of the round before, until one is left."};
  return {three_rounds};
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
           .ladder_case = Params{{"n", std::int64_t{10241}}, {"dtype", std::string("float32")}},
           .timed_case = large,
           .as_rung = block_rung},
          final_exercise()};
}

}  // namespace rafter::sum_ladder
