// gather: the course's index. An index out of range, negative ones too, is printed and its output left alone.
#include <fmt/format.h>

#include "gather/gather_rung.hpp"
#include "lab/data/generate.hpp"
#include "lab/workload/exercise.hpp"
#include "lab/workload/workload.hpp"

namespace rafter::gather_ladder {

namespace {

using namespace lab;
using FloatArgs = GatherArgs<core::BitsOf<float>, std::int64_t>;  // rungs move bits, whatever they mean

struct Shape {
  std::int64_t n_from, n_indices;
  bool has_bad;  ///< some indices are out of range
};

std::vector<std::int64_t> indices(const Shape& shape) {
  std::vector<std::int64_t> made;
  for (std::int64_t i = 0; i < shape.n_indices; ++i) {
    const bool bad = shape.has_bad && i % 25 == 3;
    made.push_back(!bad ? random_below(5, i, shape.n_from) : i % 2 == 0 ? shape.n_from + i : -1 - i);
  }
  return made;
}

ExerciseCase make_case(const Shape& shape, const Extents& block) {
  const std::vector<float> from = whole_numbers(shape.n_from, 11);
  const std::vector<std::int64_t> at = indices(shape);
  const std::vector<float> before(at.size(), 99);
  std::vector<double> expected;
  for (const std::int64_t i : at)
    expected.push_back(i >= 0 && i < shape.n_from ? static_cast<double>(from[static_cast<std::size_t>(i)]) : 99.);
  const auto check = [=](const ArraysAfter& after) -> std::string {
    const std::vector<float> now = floats(after[0]);
    for (std::size_t i = 0; i < now.size(); ++i) {
      if (static_cast<double>(now[i]) == expected[i]) continue;
      if (at[i] < 0 || at[i] >= shape.n_from)
        return fmt::format("dest[{0}] was written, but b[{0}] = {1} is out of range: leave such elements alone", i,
                           at[i]);
      if (now[i] == before[i])
        return fmt::format("dest[{}] was never written: it still holds what was there before", i);
      return fmt::format("dest[{0}]: expected a[b[{0}]] = a[{1}] = {2:g}, got {3:g}", i, at[i], expected[i], now[i]);
    }
    return "";
  };
  return {fmt::format("aSize={} bSize={}{}", shape.n_from, shape.n_indices, shape.has_bad ? ", some out of range" : ""),
          blocks_for(shape.n_indices, block.x),
          block,
          {output(before), input(from), input(at), scalar(shape.n_from), scalar(shape.n_indices)},
          check};
}

std::vector<ExerciseCase> cases(const Extents& block) {
  std::vector<ExerciseCase> all;
  for (const Shape& shape :
       {Shape{10, 100, false}, {10, 100, true}, {1, 1, false}, {100, 511, false}, {7, 513, true}, {5000, 3000, true}})
    all.push_back(make_case(shape, block));
  return all;
}

/// All indices are good; the ladder's rungs look at them, too.
Params zeroing(std::int64_t n_table, std::int64_t n) {
  return {{"table", n_table}, {"n", n}, {"index", std::string("int64")}, {"bounds", std::string("zero")}};
}

std::any rung(const std::shared_ptr<const LearnerKernel>& kernel) {
  return RungFunction<FloatArgs>([kernel](const Stream& stream, const FloatArgs& args) {
    const std::int64_t n_table = std::ssize(args.table);
    const std::int64_t n = std::ssize(args.indices);
    const KernelValue values[] = {args.out.data(), args.table.data(), args.indices.data(), n_table, n};
    kernel->launch(stream, blocks_for(n, kernel->block().x), kernel->block(), values);
  });
}

}  // namespace

std::vector<Exercise> exercises() {
  return {{.workload = "gather",
           .kernel = "index",
           .parameters = {{"float*", "dest"},
                          {"const float*", "a"},
                          {"const int64_t*", "b"},
                          {"int64_t", "aSize"},
                          {"int64_t", "bSize"}},
           .computes = "dest[i] = a[b[i]] for i < bSize; where b[i] is out of range: print it, leave dest[i] alone",
           .promise = "Indices may be negative or too large; dest holds other numbers before.",
           .block = {512},
           .grid = "bSize / 512 blocks, rounded up",
           .cases = cases,
           .ladder_case = zeroing(10, 100),
           .timed_case = zeroing(std::int64_t{1} << 24, std::int64_t{1} << 26),
           .as_rung = rung}};
}

}  // namespace rafter::gather_ladder
