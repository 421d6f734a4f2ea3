// scatter's exercises: sums by key, with keys in any order, with sorted keys, and the gradient of the latter.
#include <fmt/format.h>

#include <algorithm>

#include "library/core/stream/backend.hpp"
#include "scatter/scatter_rung.hpp"
#include "workbench/lab/data/generate.hpp"
#include "workbench/lab/workload/exercise.hpp"
#include "workbench/lab/workload/workload.hpp"

namespace rafter::scatter_ladder {

namespace {

using namespace lab;
using FloatArgs = ScatterArgs<float, std::int64_t>;

struct Shape {
  std::int64_t n, n_segments;

  std::string text() const { return fmt::format("size={} segments={}", n, n_segments); }
};

enum class Keys { shuffled, sorted };

std::vector<std::int64_t> keys_of(const Shape& shape, Keys order) {
  std::vector<std::int64_t> keys;
  for (std::int64_t i = 0; i < shape.n; ++i) keys.push_back(random_below(19, i, shape.n_segments));
  if (order == Keys::sorted) std::sort(keys.begin(), keys.end());
  return keys;
}

constexpr Shape shapes[] = {{4096, 100}, {1, 1}, {1000, 1}, {513, 7}, {511, 3000}};

ExerciseCase make_case(const Shape& shape, const Extents& block, Keys order) {
  const std::vector<float> values = eighths(shape.n, 17);
  const std::vector<std::int64_t> keys = keys_of(shape, order);
  std::vector<double> sums(static_cast<std::size_t>(shape.n_segments));
  for (std::size_t i = 0; i < values.size(); ++i)
    sums[static_cast<std::size_t>(keys[i])] += static_cast<double>(values[i]);
  return {shape.text(),
          blocks_for(shape.n, block.x),
          block,
          {input(values), input(keys), output(std::vector<float>(sums.size())), scalar(shape.n)},
          [sums](const ArraysAfter& after) { return compare_floats("dest", after[2], sums); }};
}

std::vector<ExerciseCase> cases(const Extents& block) {
  std::vector<ExerciseCase> all;
  for (const Shape& shape : shapes) all.push_back(make_case(shape, block, Keys::shuffled));
  return all;
}

/// The cases with sorted keys. A warp then has only a few different keys and can add up each by itself. The limit is
/// twice the number of (warp, key) pairs.
std::vector<ExerciseCase> sorted_cases(const Extents& block) {
  std::vector<ExerciseCase> all;
  for (const Shape& shape : shapes) all.push_back(make_case(shape, block, Keys::sorted));
  const std::vector<std::int64_t> keys = keys_of(shapes[0], Keys::sorted);
  std::int64_t n_pairs = 0;
  for (std::size_t i = 0; i < keys.size(); ++i) n_pairs += i % 32 == 0 || keys[i] != keys[i - 1] ? 1 : 0;
  all[0].atomics = {
      .count = 2 * n_pairs,
      .what_to_do =
          "Equal keys are adjacent: let a warp, or a thread with several elements, add them up first, and "
          "do one atomicAdd for each key it has."};
  return all;
}

/// A case of the gradient: the gradient of a sum with respect to each of its terms is the gradient with respect to the
/// sum.
ExerciseCase gradient_case(const Shape& shape, const Extents& block) {
  const std::vector<float> gradients = with_special(eighths(shape.n_segments, 37));
  const std::vector<std::int64_t> keys = keys_of(shape, Keys::sorted);
  std::vector<float> expected;
  for (const std::int64_t key : keys) expected.push_back(gradients[static_cast<std::size_t>(key)]);
  return {shape.text(),
          blocks_for(shape.n, block.x),
          block,
          {input(gradients), input(keys), unwritten(shape.n), scalar(shape.n)},
          [expected](const ArraysAfter& after) { return compare_moved("grad_values", after[2], expected); }};
}

std::vector<ExerciseCase> gradient_cases(const Extents& block) {
  std::vector<ExerciseCase> all;
  for (const Shape& shape : shapes) all.push_back(gradient_case(shape, block));
  return all;
}

// ---- More keys than 32 bits can count ----

constexpr std::int64_t n_huge = (std::int64_t{1} << 32) + 100;

/// Returns keys that are far apart, and two that differ only above bit 31.
std::vector<std::int64_t> huge_keys() {
  constexpr std::int64_t bit_31 = std::int64_t{1} << 31;
  return {0, 5, 1 << 20, bit_31 - 1, bit_31, bit_31 + 5, 2 * bit_31 + 5, n_huge - 1};
}

/// A case whose keys come in runs, as sorted keys do.
std::vector<ExerciseCase> huge_cases(const Extents& block) {
  const std::vector<float> values = eighths(700, 23);
  const std::vector<std::int64_t> used = huge_keys();
  std::vector<std::int64_t> keys;
  std::vector<double> sums(used.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::size_t k = i * used.size() / values.size();
    keys.push_back(used[k]);
    sums[k] += static_cast<double>(values[i]);
  }
  std::vector<FloatPiece> before;
  for (const std::int64_t key : used) before.push_back({key, {0}});
  return {{.text = Shape{std::ssize(values), n_huge}.text(),
           .grid = blocks_for(std::ssize(values), block.x),
           .block = block,
           .arguments = {input(values), input(keys), huge_output(n_huge, before), scalar(std::ssize(values))},
           .check = [sums, used](const ArraysAfter& after) {
             const std::vector<float> now = floats(after[2]);
             for (std::size_t i = 0; i < now.size(); ++i) {
               if (static_cast<double>(now[i]) != sums[i])
                 return fmt::format("dest[{}]: expected {}, got {}", used[i], sums[i], now[i]);
             }
             return std::string();
           }}};
}

std::vector<ExerciseCase> huge_gradient_cases(const Extents& block) {
  const std::vector<std::int64_t> keys = huge_keys();
  const std::vector<float> expected = eighths(std::ssize(keys), 41);
  std::vector<FloatPiece> gradients;
  for (std::size_t i = 0; i < keys.size(); ++i) gradients.push_back({keys[i], {expected[i]}});
  return {
      {.text = Shape{std::ssize(keys), n_huge}.text(),
       .grid = blocks_for(std::ssize(keys), block.x),
       .block = block,
       .arguments = {huge_input(n_huge, gradients), input(keys), unwritten(std::ssize(keys)), scalar(std::ssize(keys))},
       .check = [expected](const ArraysAfter& after) { return compare_moved("grad_values", after[2], expected); }}};
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
  const Exercise sum{
      .workload = "scatter",
      .kernel = "scatter_sum",
      .parameters = {{"const float*", "values"}, {"const int64_t*", "keys"}, {"float*", "dest"}, {"int64_t", "size"}},
      .title = "a sum for each key",
      .computes = "dest[k] = the sum of the values[i] with keys[i] == k, for i < size",
      .promise = "dest is 0 before the launch and has an element for every key.",
      .block = {512},
      .grid = "size / 512 blocks, rounded up",
      .cases = cases,
      .huge_cases = huge_cases,
      .ladder_case = Params{{"n", std::int64_t{4096}}, {"keys", std::int64_t{100}}},
      .timed_case = Params{{"n", std::int64_t{1} << 26}, {"keys", std::int64_t{1000}}},
      .as_rung = rung};
  Exercise sorted = sum;
  sorted.kernel = "reduce_by_key";
  sorted.title = "the same with sorted keys, and few atomics";
  sorted.computes += ", with one atomicAdd for each key in a warp";
  sorted.promise = "Keys are sorted: equal ones are adjacent. " + sum.promise;
  sorted.cases = sorted_cases;
  for (std::optional<Params>* params : {&sorted.ladder_case, &sorted.timed_case})
    (*params)->set("sorted", std::string("yes"));
  const Exercise gradient{
      .workload = "scatter",
      .kernel = "reduce_by_key_gradient",
      .parameters = {{"const float*", "grad_dest"},
                     {"const int64_t*", "keys"},
                     {"float*", "grad_values"},
                     {"int64_t", "size"}},
      .title = "its gradient: every element gets the gradient of its key",
      .computes = "grad_values[i] = the gradient of reduce_by_key's dest, grad_dest, at keys[i], for i < size",
      .promise = "Keys are sorted, and grad_dest has an element for each; grad_values is uninitialised.",
      .block = {512},
      .grid = "size / 512 blocks, rounded up",
      .cases = gradient_cases,
      .huge_cases = huge_gradient_cases};
  return {sum, sorted, gradient};
}

}  // namespace rafter::scatter_ladder
