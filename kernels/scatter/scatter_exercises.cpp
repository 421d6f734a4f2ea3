// scatter's exercises: sums by key, with keys in any order, with sorted keys, and the gradient of the latter.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "library/core/stream/backend.hpp"
#include "scatter/scatter_rung.hpp"
#include "workbench/lab/data/generate.hpp"
#include "workbench/lab/workload/exercise.hpp"
#include "workbench/lab/workload/workload.hpp"

namespace rafter::scatter_ladder {

namespace {

using namespace lab;
using FloatArgs = ScatterArgs<float, std::int64_t>;

enum class Numbers { eighths, fractions, infinite };

struct Shape {
  std::int64_t n, n_segments;
  Numbers numbers = Numbers::eighths;

  std::string text() const {
    constexpr const char* words[] = {"", " with fractions", " with infinities"};
    return fmt::format("size={} segments={}{}", n, n_segments, words[static_cast<int>(numbers)]);
  }
};

enum class Keys { shuffled, sorted };

std::vector<std::int64_t> keys_of(const Shape& shape, Keys order, const CaseRequest& request) {
  std::vector<std::int64_t> keys;
  for (std::int64_t i = 0; i < shape.n; ++i) keys.push_back(random_below(request.of(19), i, shape.n_segments));
  if (order == Keys::sorted) std::sort(keys.begin(), keys.end());
  return keys;
}

constexpr Shape shapes[] = {{4096, 100},
                            {1, 1},
                            {1000, 1},
                            {513, 7},
                            {511, 3000},
                            {0, 4},
                            {100, 5, Numbers::fractions},
                            {1030, 90, Numbers::infinite},
                            {200, 3000, Numbers::infinite}};

/// Returns the values. Infinite ones have the keys that are multiples of 3, so their neighbours are finite.
std::vector<float> values_of(const Shape& shape, std::span<const std::int64_t> keys, const CaseRequest& request) {
  if (shape.numbers == Numbers::fractions) return fractions(shape.n, request.of(17));
  std::vector<float> values = eighths(shape.n, request.of(17));
  for (std::size_t i = 0; i < values.size() && shape.numbers == Numbers::infinite; ++i) {
    if (keys[i] % 3 == 0) values[i] = std::numeric_limits<float>::infinity();
  }
  return values;
}

ExerciseCase make_case(const Shape& shape, const CaseRequest& request, Keys order) {
  const std::vector<std::int64_t> keys = keys_of(shape, order, request);
  const std::vector<float> values = values_of(shape, keys, request);
  std::vector<std::vector<float>> of_keys(static_cast<std::size_t>(shape.n_segments));
  for (std::size_t i = 0; i < values.size(); ++i) of_keys[static_cast<std::size_t>(keys[i])].push_back(values[i]);
  std::vector<Expectation> sums;
  for (const std::vector<float>& own : of_keys) {
    sums.push_back(sum_of(own));
    if (shape.numbers != Numbers::fractions) sums.back().bound = 0;
  }
  const Extents grid = blocks_for(shape.n, request.block.x);
  // A thread may add a run of equal keys, however long.
  const bool has_long_runs = order == Keys::sorted && shape.n > 64 * shape.n_segments;
  const ThreadShare share = has_long_runs ? ThreadShare{} : share_of_loads(shape.n, 16, grid, request.block);
  return {.text = shape.text(),
          .grid = grid,
          .block = request.block,
          .arguments = {input(values), input(keys), output(std::vector<float>(sums.size())), scalar(shape.n)},
          .check = [sums](const ArraysAfter& after) { return compare_within_bounds("dest", after[2], sums); },
          .method = {.n_independent = shape.n, .uses_atomics = shape.n > 0, .share = share}};
}

std::vector<ExerciseCase> cases(const CaseRequest& request) {
  std::vector<ExerciseCase> all;
  for (const Shape& shape : shapes) all.push_back(make_case(shape, request, Keys::shuffled));
  return all;
}

/// The cases with sorted keys. A warp then has only a few different keys and can add up each by itself. The limit is
/// twice the number of (warp, key) pairs.
std::vector<ExerciseCase> sorted_cases(const CaseRequest& request) {
  std::vector<ExerciseCase> all;
  for (const Shape& shape : shapes) {
    const std::vector<std::int64_t> keys = keys_of(shape, Keys::sorted, request);
    std::int64_t n_pairs = 0;
    for (std::size_t i = 0; i < keys.size(); ++i) n_pairs += i % 32 == 0 || keys[i] != keys[i - 1] ? 1 : 0;
    all.push_back(make_case(shape, request, Keys::sorted));
    all.back().atomics = {
        .count = 2 * n_pairs,
        .what_to_do =
            "Equal keys are adjacent: let a warp, or a thread with several elements, add them up first, and "
            "do one atomicAdd for each key it has."};
  }
  return all;
}

/// A case of the gradient: the gradient of a sum with respect to each of its terms is the gradient with respect to the
/// sum.
ExerciseCase gradient_case(const Shape& shape, const CaseRequest& request) {
  std::vector<float> gradients = with_special(eighths(shape.n_segments, request.of(37)));
  if (shape.numbers == Numbers::fractions) gradients = fractions(shape.n_segments, request.of(37));
  const std::vector<std::int64_t> keys = keys_of(shape, Keys::sorted, request);
  std::vector<float> expected;
  for (const std::int64_t key : keys) expected.push_back(gradients[static_cast<std::size_t>(key)]);
  return {.text = shape.text(),
          .grid = blocks_for(shape.n, request.block.x),
          .block = request.block,
          .arguments = {input(gradients), input(keys), unwritten(shape.n), scalar(shape.n)},
          .check = [expected](const ArraysAfter& after) { return compare_moved("grad_values", after[2], expected); },
          .method = {.n_independent = shape.n, .share = share_of_results(64, 16, 4, request.block)}};
}

std::vector<ExerciseCase> gradient_cases(const CaseRequest& request) {
  std::vector<ExerciseCase> all;
  for (const Shape& shape : shapes) all.push_back(gradient_case(shape, request));
  return all;
}

// ---- More keys than 32 bits can count ----

constexpr std::int64_t two_to_32 = std::int64_t{1} << 32;
constexpr std::int64_t n_huge = 2 * two_to_32 + 100;

/// Returns keys that are far apart, and pairs that differ only above bit 31, two of them adjacent.
std::vector<std::int64_t> huge_keys() {
  constexpr std::int64_t bit_31 = two_to_32 / 2;
  return {0, 5, 1 << 20, bit_31 - 1, bit_31, bit_31 + 5, two_to_32 + bit_31 + 5, two_to_32 + bit_31 + 6, n_huge - 1};
}

/// Many keys that come in runs, as sorted keys do.
ExerciseCase many_keys(const CaseRequest& request) {
  const std::vector<float> values = eighths(700, request.of(23));
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
  return {.text = Shape{std::ssize(values), n_huge}.text(),
          .grid = blocks_for(std::ssize(values), request.block.x),
          .block = request.block,
          .arguments = {input(values), input(keys), huge_output(n_huge, before), scalar(std::ssize(values))},
          .check = [sums, used](const ArraysAfter& after) {
            const std::vector<float> now = floats(after[2]);
            for (std::size_t i = 0; i < now.size(); ++i) {
              if (static_cast<double>(now[i]) != sums[i])
                return fmt::format("dest[{}]: expected {}, got {}", used[i], sums[i], now[i]);
            }
            return std::string();
          }};
}

/// The first and the last block of more elements than 32 bits can count. The keys of all elements in between are 0, and
/// those blocks do not run.
struct ManyElements {
  std::vector<FloatPiece> values;
  std::vector<HugePiece<std::int64_t>> keys;
};

ManyElements ends_of(std::int64_t n, std::int64_t n_each_block, const CaseRequest& request) {
  const std::int64_t n_last = (n - 1) % n_each_block + 1;
  ManyElements made;
  for (const auto& [first, size] : {std::pair(std::int64_t{0}, n_each_block), std::pair(n - n_last, n_last)}) {
    made.values.push_back({first, eighths(size, request.of(first == 0 ? 43 : 44))});
    std::vector<std::int64_t> keys;
    for (std::int64_t i = 0; i < size; ++i) keys.push_back((first == 0 ? 1 : 20) + i * 19 / size);
    made.keys.push_back({first, keys});
  }
  return made;
}

ExerciseCase many_elements(std::int64_t n, const CaseRequest& request, std::int64_t n_each) {
  const auto [values, keys] = ends_of(n, request.block.x * n_each, request);
  std::vector<double> sums(40);
  for (std::size_t k = 0; k < values.size(); ++k) {
    for (std::size_t i = 0; i < values[k].values.size(); ++i)
      sums[static_cast<std::size_t>(keys[k].values[i])] += static_cast<double>(values[k].values[i]);
  }
  return {.text = Shape{n, std::ssize(sums)}.text(),
          .grid = blocks_for(n, request.block.x * n_each),
          .block = request.block,
          .arguments = {huge_input(n, values), huge_input(n, keys), output(std::vector<float>(sums.size())), scalar(n)},
          .check = [sums](const ArraysAfter& after) { return compare_floats("dest", after[2], sums); },
          .ends_only = true};
}

ExerciseCase many_gradients(std::int64_t n, const CaseRequest& request, std::int64_t n_each) {
  const auto [values, keys] = ends_of(n, request.block.x * n_each, request);
  const std::vector<float> gradients = eighths(40, request.of(41));
  std::vector<FloatPiece> before;
  std::vector<float> expected;
  for (const HugePiece<std::int64_t>& piece : keys) {
    before.push_back({piece.first, std::vector<float>(piece.values.size(), -99)});
    for (const std::int64_t key : piece.values) expected.push_back(gradients[static_cast<std::size_t>(key)]);
  }
  return {.text = Shape{n, std::ssize(gradients)}.text(),
          .grid = blocks_for(n, request.block.x * n_each),
          .block = request.block,
          .arguments = {input(gradients), huge_input(n, keys), huge_output(n, before), scalar(n)},
          .check =
              [expected](const ArraysAfter& after) {
                return compare_moved("the first and the last elements: grad_values", after[2], expected);
              },
          .ends_only = true};
}

/// Returns a case of more than 2^32 elements, for kernels with one, two, ... elements per thread.
template <class Make>
ExerciseCase of_any_width(const CaseRequest& request, Make make) {
  std::shared_ptr<const ExerciseCase> widest;
  for (const std::int64_t n_each : {16, 8, 4, 2, 1}) {
    ExerciseCase huge = make(two_to_32 + 700, request, n_each);
    huge.rehearsal = std::make_shared<ExerciseCase>(make(64 * request.block.x * n_each + 7, request, n_each));
    huge.wider = widest;
    widest = std::make_shared<ExerciseCase>(huge);
  }
  return *widest;
}

std::vector<ExerciseCase> huge_cases(const CaseRequest& request) {
  return {many_keys(request), of_any_width(request, many_elements)};
}

std::vector<ExerciseCase> huge_gradient_cases(const CaseRequest& request) {
  const std::vector<std::int64_t> keys = huge_keys();
  const std::vector<float> expected = eighths(std::ssize(keys), request.of(41));
  std::vector<FloatPiece> gradients;
  for (std::size_t i = 0; i < keys.size(); ++i) gradients.push_back({keys[i], {expected[i]}});
  return {
      {.text = Shape{std::ssize(keys), n_huge}.text(),
       .grid = blocks_for(std::ssize(keys), request.block.x),
       .block = request.block,
       .arguments = {huge_input(n_huge, gradients), input(keys), unwritten(std::ssize(keys)), scalar(std::ssize(keys))},
       .check = [expected](const ArraysAfter& after) { return compare_moved("grad_values", after[2], expected); }},
      of_any_width(request, many_gradients)};
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
