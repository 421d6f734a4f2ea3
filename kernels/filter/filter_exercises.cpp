// The exercises filter_atomic (any order, the course's) and filter_ordered (one block, order preserved). Both write the
// kept elements and count them.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "filter/filter_rung.hpp"
#include "library/core/stream/backend.hpp"
#include "workbench/lab/data/generate.hpp"
#include "workbench/lab/workload/exercise.hpp"
#include "workbench/lab/workload/workload.hpp"

namespace rafter::filter_ladder {

namespace {

using namespace lab;
using FloatArgs = FilterArgs<float>;

/// n distinct numbers in random order, so that a message can name a duplicated or lost one. None is whole but -0, so
/// truncation to an integer is noticed. They include NaN and an infinity, which no threshold keeps.
std::vector<float> distinct_numbers(std::int64_t n) {
  std::vector<float> values(static_cast<std::size_t>(n));
  for (std::int64_t i = 0; i < n; ++i)
    values[static_cast<std::size_t>(i)] = static_cast<float>(i - n / 2) + static_cast<float>(i % 7 + 1) / 8;
  if (n > 100) {
    constexpr float special[] = {-0.F, std::numeric_limits<float>::quiet_NaN(), -std::numeric_limits<float>::infinity(),
                                 std::numeric_limits<float>::quiet_NaN()};
    std::copy(std::begin(special), std::end(special), values.begin() + n / 2);
  }
  for (std::int64_t i = n; i > 1; --i)
    std::swap(values[static_cast<std::size_t>(i - 1)], values[static_cast<std::size_t>(random_below(3, i, i))]);
  return values;
}

std::string check(const std::vector<float>& in, std::vector<float> kept, const ArraysAfter& after) {
  const std::int64_t count = ints(after[2]).front();
  std::vector<float> found = floats(after[1]);
  if (count != std::ssize(kept)) {
    const bool has_nan =
        std::any_of(found.begin(), found.end(), [](float x) { return std::isnan(x) && !is_unwritten(x); });
    return fmt::format("counter: expected {}, got {}{}", kept.size(), count,
                       has_nan ? "; dest has a NaN, and abs(NaN) < threshold is false" : "");
  }
  found.resize(kept.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (is_unwritten(found[i]))
      return fmt::format("dest[{}] was never written: it still holds its initial value, though counter is {}", i,
                         count);
  }
  std::sort(kept.begin(), kept.end());
  std::sort(found.begin(), found.end());
  const auto [expected, got] = std::mismatch(kept.begin(), kept.end(), found.begin());
  if (expected == kept.end()) return "";
  if (got != found.begin() && *got == *(got - 1)) return fmt::format("dest has {} twice", *got);
  if (std::binary_search(kept.begin(), kept.end(), *got)) return fmt::format("dest lacks {}", *expected);
  return fmt::format("dest has {}, which {}", *got,
                     std::find(in.begin(), in.end(), *got) == in.end() ? "is no element of inp" : "is not to be kept");
}

/// Compares the order of the elements, given that check() has found the right set.
std::string check_order(std::span<const float> in, std::span<const float> kept, const ArraysAfter& after) {
  const std::vector<float> found = floats(after[1]);
  for (std::size_t i = 0; i < kept.size(); ++i) {
    if (found[i] == kept[i]) continue;
    const auto place = [&](float x) { return std::find(in.begin(), in.end(), x) - in.begin(); };
    return fmt::format(
        "the right elements in another order: dest[{}] should be {} (from inp[{}]) and is {} (from inp[{}])", i,
        kept[i], place(kept[i]), found[i], place(found[i]));
  }
  return "";
}

std::vector<ExerciseCase> cases(const Extents& block, FilterOrder order) {
  struct Shape {
    std::int64_t n;
    float threshold;
  };
  const bool is_ordered = order == FilterOrder::preserved;
  std::vector<ExerciseCase> all;
  for (const auto& [n, threshold] : {Shape{2048, 512}, {1, 1}, {511, 30.25F}, {513, 1000}, {1000, 0}, {5000, 0.5F}}) {
    const std::vector<float> in = distinct_numbers(n);
    std::vector<float> kept;
    std::copy_if(in.begin(), in.end(), std::back_inserter(kept),
                 [limit = threshold](float x) { return std::abs(x) < limit; });
    all.push_back({fmt::format("size={} threshold={:g}", n, threshold),
                   is_ordered ? Extents{1} : blocks_for(n, block.x),
                   block,
                   {input(in), unwritten(n), output(std::vector<std::int32_t>{0}), scalar_i32(n), scalar(threshold)},
                   [=](const ArraysAfter& after) {
                     const std::string text = check(in, kept, after);
                     return text.empty() && is_ordered ? check_order(in, kept, after) : text;
                   }});
  }
  return all;
}

Params on_ladder(std::int64_t n, FilterOrder order) {
  return {{"n", n},
          {"keep", 0.5},
          {"order", std::string(order == FilterOrder::preserved ? "kept" : "any")},
          {"dtype", std::string("float32")}};
}

/// Makes a rung of a learner's kernel. The family's counter has 64 bits; the course's counter is its lower half.
std::any rung(const std::shared_ptr<const LearnerKernel>& kernel, FilterOrder order) {
  return RungFunction<FloatArgs>([kernel, order](const Stream& stream, const FloatArgs& args) {
    core::backend(stream.device()).fill_bytes(stream.handle(), args.count, 0, sizeof *args.count);
    const std::int64_t n = std::ssize(args.in);
    const auto bound = static_cast<double>(args.keep.bound);
    const KernelValue values[] = {args.in.data(), args.out.data(), args.count, n, bound};
    const Extents grid = order == FilterOrder::preserved ? Extents{1} : blocks_for(n, kernel->block().x);
    kernel->launch(stream, grid, kernel->block(), values);
  });
}

Exercise exercise(const char* kernel, FilterOrder order, const char* title, const char* order_words) {
  const bool is_ordered = order == FilterOrder::preserved;
  return {.workload = "filter",
          .kernel = kernel,
          .parameters = {{"const float*", "inp"},
                         {"float*", "dest"},
                         {"int*", "counter"},
                         {"int", "size"},
                         {"float", "threshold"}},
          .title = title,
          .computes =
              fmt::format("dest = the elements of inp with abs(x) < threshold, {}; *counter = how many", order_words),
          .promise = "*counter is 0 before the launch. dest has size elements, uninitialised.",
          .block = {is_ordered ? 1024 : 512},
          .grid = is_ordered ? "one block" : "size / 512 blocks, rounded up",
          .cases = [order](const Extents& block) { return cases(block, order); },
          .ladder_case = on_ladder(2048, order),
          .timed_case = on_ladder(std::int64_t{1} << (is_ordered ? 20 : 28), order),
          .as_rung = [order](const std::shared_ptr<const LearnerKernel>& made) { return rung(made, order); }};
}

}  // namespace

std::vector<Exercise> exercises() {
  return {exercise("filter_atomic", FilterOrder::any, "keep some elements, in any order", "in any order"),
          exercise("filter_ordered", FilterOrder::preserved, "keep some elements in order, by one block",
                   "in the order they have in inp")};
}

}  // namespace rafter::filter_ladder
