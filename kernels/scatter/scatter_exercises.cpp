// scatter: a bonus of the course, sums by key.
#include <fmt/format.h>

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
    const std::vector<float> values = eighths(n, 17);
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

/// More keys than 32 bits count: eight of them are used, far apart, and two that differ only above the 32nd bit.
std::vector<ExerciseCase> huge_cases(const Extents& block) {
  constexpr std::int64_t n_segments = (std::int64_t{1} << 32) + 100, n = 700;
  constexpr std::int64_t used[] = {
      0, 5, 1 << 20, (1LL << 31) - 1, 1LL << 31, (1LL << 31) + 5, (1LL << 32) + 5, n_segments - 1};
  const std::vector<float> values = eighths(n, 23);
  std::vector<std::int64_t> keys;
  std::vector<double> sums(std::size(used));
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto k = static_cast<std::size_t>(random_below(29, static_cast<std::int64_t>(i), std::ssize(used)));
    keys.push_back(used[k]);
    sums[k] += static_cast<double>(values[i]);
  }
  std::vector<FloatPiece> before;
  for (const std::int64_t key : used) before.push_back({key, {0}});
  return {{.text = "size=700 segments=" + std::to_string(n_segments),
           .grid = blocks_for(n, block.x),
           .block = block,
           .arguments = {input(values), input(keys), huge_output(n_segments, before), scalar(n)},
           .check = [sums, keys = std::vector(std::begin(used), std::end(used))](const ArraysAfter& after) {
             const std::vector<float> now = floats(after[2]);
             for (std::size_t i = 0; i < now.size(); ++i) {
               if (static_cast<double>(now[i]) != sums[i])
                 return fmt::format("dest[{}]: expected {}, got {}", keys[i], sums[i], now[i]);
             }
             return std::string();
           }}};
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
       .huge_cases = huge_cases,
       .ladder_case = Params{{"n", std::int64_t{4096}}, {"keys", std::int64_t{100}}},
       .timed_case = Params{{"n", std::int64_t{1} << 26}, {"keys", std::int64_t{1000}}},
       .as_rung = rung}};
}

}  // namespace rafter::scatter_ladder
