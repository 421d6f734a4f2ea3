// mul_add's exercise: one block, one thread per element.
#include "workbench/lab/workload/exercise.hpp"

namespace rafter::mul_add_ladder {

namespace {

using namespace lab;

std::vector<ExerciseCase> cases(const Extents& block) {
  std::vector<ExerciseCase> all;
  for (const std::int64_t n : {block.x, std::int64_t{1}, std::int64_t{33}}) {
    const std::vector<float> a = with_special(eighths(n, 1)), b = eighths(n, 2), c = eighths(n, 4);
    std::vector<double> expected;
    for (std::size_t i = 0; i < a.size(); ++i)
      expected.push_back(static_cast<double>(a[i]) * static_cast<double>(b[i]) + static_cast<double>(c[i]));
    all.push_back({"n=" + std::to_string(n),
                   {1},
                   {n},
                   {unwritten(n), input(a), input(b), input(c)},
                   [expected](const ArraysAfter& after) { return compare_floats("dest", after[0], expected); }});
  }
  return all;
}

}  // namespace

std::vector<Exercise> exercises() {
  return {{.workload = "mul_add",
           .kernel = "mul_add",
           .parameters = {{"float*", "dest"}, {"const float*", "a"}, {"const float*", "b"}, {"const float*", "c"}},
           .title = "the product of two arrays and the sum with a third",
           .computes = "dest[i] = a[i] * b[i] + c[i], i = threadIdx.x",
           .promise = "All arrays have as many elements as the block has threads; dest is uninitialised.",
           .block = {128},
           .grid = "one block",
           .cases = cases,
           .ladder_case = Params{{"n", std::int64_t{128}}, {"dtype", std::string("float32")}}}};
}

}  // namespace rafter::mul_add_ladder
