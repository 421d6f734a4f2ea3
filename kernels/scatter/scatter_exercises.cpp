// scatter: a bonus of the course, sums by key.
#include "core/backend.hpp"
#include "lab/data/generate.hpp"
#include "lab/workload/exercise.hpp"
#include "lab/workload/workload.hpp"
#include "scatter/scatter_rung.hpp"

namespace rafter::scatter_ladder {

namespace {

using namespace lab;
using FloatArgs = ScatterArgs<float, std::int64_t>;

struct Shape {
  std::int64_t n, n_segments;
};

std::vector<ExerciseCase> cases(const Extents& block) {
  std::vector<ExerciseCase> all;
  for (const auto& [n, n_segments] : {Shape{4096, 100}, {1, 1}, {1000, 1}, {513, 7}, {511, 3000}}) {
    const std::vector<float> values = whole_numbers(n, 17);
    std::vector<std::int64_t> keys;
    std::vector<double> sums(static_cast<std::size_t>(n_segments));
    for (std::int64_t i = 0; i < n; ++i) {
      keys.push_back(random_below(19, i, n_segments));
      sums[static_cast<std::size_t>(keys.back())] += static_cast<double>(values[static_cast<std::size_t>(i)]);
    }
    all.push_back({"size=" + std::to_string(n) + " segments=" + std::to_string(n_segments),
                   blocks_for(n, block.x),
                   block,
                   {input(values), input(keys), output(std::vector<float>(sums.size())), scalar(n)},
                   [sums](const ArraysAfter& after) { return compare_floats("dest", after[2], sums); }});
  }
  return all;
}

std::any rung(const std::shared_ptr<const LearnerKernel>& kernel) {
  return RungFunction<FloatArgs>([kernel](const Stream& stream, const FloatArgs& args) {
    core::backend(stream.device())
        .fill_bytes(stream.handle(), args.out.data(), 0, static_cast<std::int64_t>(args.out.size_bytes()));
    const KernelValue values[] = {args.values.data(), args.keys.data(), args.out.data(), args.n()};
    kernel->launch(stream, blocks_for(args.n(), kernel->block().x), kernel->block(), values);
  });
}

}  // namespace

std::vector<Exercise> exercises() {
  return {
      {.workload = "scatter",
       .kernel = "scatter_sum",
       .parameters = {{"const float*", "values"}, {"const int64_t*", "keys"}, {"float*", "dest"}, {"int64_t", "size"}},
       .computes = "dest[k] = the sum of the values[i] with keys[i] == k, for i < size",
       .promise = "dest is 0 before the launch and has an element for every key there is.",
       .block = {512},
       .grid = "size / 512 blocks, rounded up",
       .cases = cases,
       .ladder_case = Params{{"n", std::int64_t{4096}}, {"keys", std::int64_t{100}}},
       .timed_case = Params{{"n", std::int64_t{1} << 26}, {"keys", std::int64_t{1000}}},
       .as_rung = rung}};
}

}  // namespace rafter::scatter_ladder
