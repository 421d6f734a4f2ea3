// The exercises zero and one, the course's first kernels: one block writes one element per thread and nothing else.
#include <fmt/format.h>

#include "workbench/lab/workload/exercise.hpp"

namespace rafter::fill_ladder {

namespace {

using namespace lab;

/// Describes the first wrong element, or returns "": the first `n_threads` elements must equal `value`, the others must
/// be unchanged.
std::string check(std::span<const float> before, std::span<const std::byte> bytes, std::size_t n_threads, float value) {
  const std::vector<float> after = floats(bytes);
  for (std::size_t i = 0; i < after.size(); ++i) {
    if (i >= n_threads && after[i] != before[i])
      return fmt::format(
          "dest[{}] was changed from {:g} to {:g}: a block of {} threads writes the first {} elements only", i,
          before[i], after[i], n_threads, n_threads);
    if (i < n_threads && after[i] == before[i])
      return fmt::format("dest[{}] was never written: it still holds its initial value ({:g})", i, before[i]);
    if (i < n_threads && after[i] != value) return fmt::format("dest[{}]: expected {:g}, got {:g}", i, value, after[i]);
  }
  return "";
}

std::vector<ExerciseCase> cases(const Extents& block, float value) {
  std::vector<ExerciseCase> all;
  for (const std::int64_t n_threads : {block.x, std::int64_t{1}, std::int64_t{33}}) {
    std::vector<float> before(static_cast<std::size_t>(2 * n_threads));
    for (std::size_t i = 0; i < before.size(); ++i) before[i] = static_cast<float>(i + 2);
    all.push_back(
        {fmt::format("n={}", before.size()), {1}, {n_threads}, {output(before)}, [=](const ArraysAfter& after) {
           return check(before, after[0], static_cast<std::size_t>(n_threads), value);
         }});
  }
  return all;
}

Exercise exercise(const char* kernel, float value) {
  return {.workload = "fill",
          .kernel = kernel,
          .parameters = {{"float*", "dest"}},
          .title = fmt::format("write {:g} to 64 elements, one per thread", value),
          .computes = fmt::format("dest[threadIdx.x] = {:g}", value),
          .promise = "dest has 128 elements. The 64 threads write the first 64; the others must stay unchanged.",
          .block = {64},
          .grid = "one block",
          .cases = [value](const Extents& block) { return cases(block, value); },
          .ladder_case = Params{{"n", std::int64_t{64}}, {"dtype", std::string("float32")}}};
}

}  // namespace

std::vector<Exercise> exercises() { return {exercise("zero", 0), exercise("one", 1)}; }

}  // namespace rafter::fill_ladder
