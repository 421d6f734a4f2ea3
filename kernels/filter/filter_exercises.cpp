// The exercises filter_atomic (any order, the course's) and filter_ordered (one block, order preserved). Both write the
// kept elements and count them.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
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

constexpr float nan = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();

/// The sizes of a case, and the numbers it has many of.
struct Shape {
  std::int64_t n;
  float threshold;
  bool has_borders = false;  ///< a third of the elements are as large as the threshold, or very little smaller

  std::string text() const {
    return fmt::format("size={} threshold={:g}{}", n, threshold, has_borders ? ", which some elements equal" : "");
  }
};

bool is_kept(float x, float threshold) { return std::abs(x) < threshold; }

/// n distinct numbers in random order, so that a message can name a duplicated or lost one. None is whole but -0, so
/// truncation to an integer is noticed. They include NaN and infinities, which no threshold keeps.
std::vector<float> numbers(const Shape& shape, const CaseRequest& request) {
  const auto& [n, threshold, has_borders] = shape;
  std::vector<float> values(static_cast<std::size_t>(n));
  for (std::int64_t i = 0; i < n; ++i)
    values[static_cast<std::size_t>(i)] = static_cast<float>(i - n / 2) + static_cast<float>(i % 7 + 1) / 8;
  if (n > 100) {
    constexpr float special[] = {-0.F, nan, -infinity, nan};
    std::copy(std::begin(special), std::end(special), values.begin() + n / 2);
  }
  if (has_borders) {
    const float little_less = std::nextafter(threshold, 0.F);
    const float border[] = {threshold, -threshold, little_less, -little_less, infinity, -nan};
    for (std::int64_t i = 0; i < n; i += 3) values[static_cast<std::size_t>(i)] = border[i / 3 % 6];
  }
  for (std::int64_t i = n; i > 1; --i)
    std::swap(values[static_cast<std::size_t>(i - 1)],
              values[static_cast<std::size_t>(random_below(request.of(3), i, i))]);
  return values;
}

std::uint32_t bits(float x) { return std::bit_cast<std::uint32_t>(x); }

/// The numbers in the order of their bits, which NaN has a place in.
std::vector<float> sorted(std::vector<float> values) {
  std::sort(values.begin(), values.end(), [](float a, float b) { return bits(a) < bits(b); });
  return values;
}

std::string check(const std::vector<float>& in, const std::vector<float>& kept, const ArraysAfter& after) {
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
  const std::vector<float> wanted = sorted(kept), got = sorted(found);
  const auto [lacks, has] =
      std::mismatch(wanted.begin(), wanted.end(), got.begin(), [](float a, float b) { return bits(a) == bits(b); });
  if (lacks == wanted.end()) return "";
  const auto times = [number = *has](const std::vector<float>& all) {
    return std::count_if(all.begin(), all.end(), [&](float x) { return bits(x) == bits(number); });
  };
  if (times(wanted) == 1 && times(got) == 2) return fmt::format("dest has {} twice", *has);
  if (times(wanted) == times(got)) return fmt::format("dest lacks {}", *lacks);
  return fmt::format("dest has {}, which {}", *has, times(in) == 0 ? "is no element of inp" : "is not to be kept");
}

/// Compares the order of the elements, given that check() has found the right set.
std::string check_order(std::span<const float> in, std::span<const float> kept, const ArraysAfter& after) {
  const std::vector<float> found = floats(after[1]);
  for (std::size_t i = 0; i < kept.size(); ++i) {
    if (bits(found[i]) == bits(kept[i])) continue;
    const auto place = [&](float x) { return std::find(in.begin(), in.end(), x) - in.begin(); };
    return fmt::format(
        "the right elements in another order: dest[{}] should be {} (from inp[{}]) and is {} (from inp[{}])", i,
        kept[i], place(kept[i]), found[i], place(found[i]));
  }
  return "";
}

std::vector<ExerciseCase> cases(const CaseRequest& request, FilterOrder order) {
  const bool is_ordered = order == FilterOrder::preserved;
  std::vector<Shape> shapes{{2048, 512}, {1, 1},       {511, 30.25F}, {513, 1000},
                            {1000, 0},   {5000, 0.5F}, {9000, 4000},  {900, 12.5F, true},
                            {0, 1},      {700, -2.5F}, {600, nan},    {1300, infinity, true}};
  if (is_ordered) shapes.push_back({70000, 34000});
  std::vector<ExerciseCase> all;
  for (const Shape& shape : shapes) {
    const std::vector<float> in = numbers(shape, request);
    std::vector<float> kept;
    std::copy_if(in.begin(), in.end(), std::back_inserter(kept), [&](float x) { return is_kept(x, shape.threshold); });
    const Extents grid = is_ordered ? Extents{1} : blocks_for(shape.n, request.block.x);
    all.push_back({.text = shape.text(),
                   .grid = grid,
                   .block = request.block,
                   .arguments = {input(in), unwritten(shape.n), output(std::vector<std::int32_t>{0}),
                                 scalar_i32(shape.n), scalar(shape.threshold)},
                   .check =
                       [=](const ArraysAfter& after) {
                         const std::string text = check(in, kept, after);
                         return text.empty() && is_ordered ? check_order(in, kept, after) : text;
                       },
                   .method = {.n_independent = shape.n, .share = share_of_loads(shape.n, 8, grid, request.block)}});
  }
  return all;
}

/// A case of the largest size that an int can count, whose first and last block have elements to keep.
std::vector<ExerciseCase> huge_cases(const CaseRequest& request) {
  constexpr std::int64_t n = std::numeric_limits<std::int32_t>::max();
  const std::int64_t n_block = request.block.x, n_last = (n - 1) % n_block + 1;
  const auto in_both = [&](std::int64_t size) {
    const std::int64_t last = (size - 1) % n_block + 1;
    const std::vector<FloatPiece> in{{0, eighths(n_block, request.of(5))}, {size - last, eighths(last, request.of(6))}};
    std::vector<float> all, kept;
    for (const FloatPiece& piece : in) all.insert(all.end(), piece.values.begin(), piece.values.end());
    std::copy_if(all.begin(), all.end(), std::back_inserter(kept), [](float x) { return is_kept(x, 4); });
    const std::vector<FloatPiece> before{{0, std::vector<float>(all.size(), nan)}};
    return ExerciseCase{.text = fmt::format("size={} threshold=4", size),
                        .grid = blocks_for(size, n_block),
                        .block = request.block,
                        .arguments = {huge_input(size, in), huge_output(size, before),
                                      output(std::vector<std::int32_t>{0}), scalar_i32(size), scalar(4.F)},
                        .check = [=](const ArraysAfter& after) { return check(all, kept, after); },
                        .ends_only = true};
  };
  ExerciseCase huge = in_both(n);
  huge.rehearsal = std::make_shared<ExerciseCase>(in_both(64 * n_block + n_last));
  huge.lesson = Lesson{
      "Smaller cases are right. Here size is the largest int: what is more than an index, such as an "
      "offset in bytes or the index of a later element, needs 64 bits.",
      "Compare before you add, or use int64_t."};
  return {huge};
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
          .promise = "*counter is 0 before the launch. dest has size elements, uninitialised. NaN is not kept.",
          .block = {is_ordered ? 1024 : 512},
          .grid = is_ordered ? "one block" : "size / 512 blocks, rounded up",
          .cases = [order](const CaseRequest& request) { return cases(request, order); },
          .ladder_case = on_ladder(2048, order),
          .timed_case = on_ladder(std::int64_t{1} << (is_ordered ? 20 : 28), order),
          .as_rung = [order](const std::shared_ptr<const LearnerKernel>& made) { return rung(made, order); }};
}

}  // namespace

std::vector<Exercise> exercises() {
  Exercise any = exercise("filter_atomic", FilterOrder::any, "keep some elements, in any order", "in any order");
  any.huge_cases = huge_cases;
  return {any, exercise("filter_ordered", FilterOrder::preserved, "keep some elements in order, by one block",
                        "in the order they have in inp")};
}

}  // namespace rafter::filter_ladder
