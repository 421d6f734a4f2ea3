// The exercises zero and one, the course's first kernels: one block writes one element per thread and nothing else.
#include <fmt/format.h>

#include <bit>

#include "workbench/lab/workload/exercise.hpp"

namespace rafter::fill_ladder {

namespace {

using namespace lab;

/// The bits of a number: NaN differs from itself, and -0 equals 0.
std::uint32_t bits(float value) { return std::bit_cast<std::uint32_t>(value); }

/// Describes the first wrong element, or returns "": the first `n_threads` elements must equal `value`, the others must
/// be unchanged.
std::string check(std::span<const float> before, std::span<const std::byte> bytes, std::size_t n_threads, float value) {
  const std::vector<float> after = floats(bytes);
  for (std::size_t i = 0; i < after.size(); ++i) {
    if (i >= n_threads && bits(after[i]) != bits(before[i]))
      return fmt::format(
          "dest[{}] was changed from {:g} to {:g}: a block of {} threads writes the first {} elements only", i,
          before[i], after[i], n_threads, n_threads);
    if (i >= n_threads || bits(after[i]) == bits(value)) continue;
    if (bits(after[i]) == bits(before[i]))
      return fmt::format("dest[{}] was never written: it still holds its initial value ({:g})", i, before[i]);
    return fmt::format("dest[{}]: expected {:g}, got {:g}", i, value, after[i]);
  }
  return "";
}

enum class Before { counting, any };

/// Returns the contents of dest before the launch: 2, 3, 4, ..., or numbers of all kinds.
std::vector<float> initial(Before kind, std::int64_t n, std::uint64_t seed) {
  if (kind == Before::any) return with_special(fractions(n, seed));
  std::vector<float> values;
  for (std::int64_t i = 0; i < n; ++i) values.push_back(static_cast<float>(i + 2));
  return values;
}

std::vector<ExerciseCase> cases(const CaseRequest& request, float value) {
  struct Shape {
    std::int64_t n_threads;
    Before before;
  };
  const std::int64_t n_block = request.block.x;
  std::vector<ExerciseCase> all;
  for (const auto& [n_threads, kind] : {Shape{n_block, Before::counting},
                                        {1, Before::counting},
                                        {33, Before::counting},
                                        {n_block, Before::any},
                                        {1024, Before::any}}) {
    const std::vector<float> before = initial(kind, 2 * n_threads, request.of(3));
    all.push_back({.text = fmt::format("n={}{}", before.size(), kind == Before::any ? " and NaN in dest" : ""),
                   .grid = {1},
                   .block = {n_threads},
                   .arguments = {output(before)},
                   .check = [=, n = static_cast<std::size_t>(n_threads)](
                                const ArraysAfter& after) { return check(before, after[0], n, value); },
                   .method = {.n_independent = n_threads, .share = share_of_results(8, 0, 4, {n_threads})}});
  }
  return all;
}

Exercise exercise(const char* kernel, float value) {
  return {.workload = "fill",
          .kernel = kernel,
          .parameters = {{"float*", "dest"}},
          .title = fmt::format("write {:g} to 64 elements, one per thread", value),
          .computes = fmt::format("dest[threadIdx.x] = {:g}", value),
          .promise =
              "dest has 128 elements. The 64 threads write the first 64; the others must stay unchanged. Other "
              "launches have up to 1024 threads and twice as many elements, with any values before.",
          .block = {64},
          .grid = "one block",
          .cases = [value](const CaseRequest& request) { return cases(request, value); },
          .ladder_case = Params{{"n", std::int64_t{64}}, {"dtype", std::string("float32")}}};
}

}  // namespace

std::vector<Exercise> exercises() { return {exercise("zero", 0), exercise("one", 1)}; }

}  // namespace rafter::fill_ladder
