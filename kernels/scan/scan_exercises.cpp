// scan's exercises: inclusive and exclusive running sums by one block.
#include <cmath>
#include <limits>

#include "scan/scan_rung.hpp"
#include "workbench/lab/workload/exercise.hpp"
#include "workbench/lab/workload/workload.hpp"

namespace rafter::scan_ladder {

namespace {

using namespace lab;
using FloatArgs = ScanArgs<float>;

enum class Kind { inclusive, exclusive };

enum class Numbers { eighths, fractions, infinite };

struct Shape {
  std::int64_t n;
  Numbers numbers = Numbers::eighths;

  std::string text() const {
    constexpr const char* words[] = {"", " with fractions", " with an infinity"};
    return "size=" + std::to_string(n) + words[static_cast<int>(numbers)];
  }
};

/// Returns the elements; an infinite one is followed by ordinary ones.
std::vector<float> elements(const Shape& shape, const CaseRequest& request) {
  const auto array = static_cast<std::uint64_t>(shape.n);
  if (shape.numbers == Numbers::fractions) return fractions(shape.n, request.of(array));
  std::vector<float> values = eighths(shape.n, request.of(array));
  if (shape.numbers == Numbers::infinite)
    values[values.size() - values.size() / 4] = -std::numeric_limits<float>::infinity();
  return values;
}

/// Returns the running sums. Those of fractions are rounded, in any order of additions.
std::vector<Expectation> sums_of(std::span<const float> in, Kind kind, bool is_rounded) {
  std::vector<Expectation> sums;
  double sum = 0, size = 0;
  for (const float x : in) {
    const Expectation before{sum, size};
    sum += static_cast<double>(x);
    size += std::abs(static_cast<double>(x));
    sums.push_back(kind == Kind::inclusive ? Expectation{sum, size} : before);
    sums.back().bound *= is_rounded ? static_cast<double>(sums.size()) * 0x1p-24 : 0;
    if (!std::isfinite(sums.back().value)) sums.back().bound = 0;
  }
  return sums;
}

std::string check(std::span<const float> in, Kind kind, bool is_rounded, std::span<const std::byte> after) {
  const std::string text = compare_within_bounds("dest", after, sums_of(in, kind, is_rounded));
  const Kind other = kind == Kind::inclusive ? Kind::exclusive : Kind::inclusive;
  if (text.empty() || !compare_within_bounds("dest", after, sums_of(in, other, is_rounded)).empty()) return text;
  return text + (other == Kind::inclusive ? "; that is the inclusive scan, but dest[i] must not include element i"
                                          : "; that is the exclusive scan, but dest[i] must include element i");
}

std::vector<ExerciseCase> cases(const CaseRequest& request, Kind kind) {
  std::vector<ExerciseCase> all;
  for (const Shape& shape : {Shape{1024},
                             {1},
                             {32},
                             {33},
                             {1000},
                             {1025},
                             {5000},
                             {0},
                             {100, Numbers::fractions},
                             {1300, Numbers::infinite},
                             {70000}}) {
    const std::vector<float> in = elements(shape, request);
    all.push_back({.text = shape.text(),
                   .grid = {1},
                   .block = request.block,
                   .arguments = {input(in), unwritten(shape.n), scalar(shape.n)},
                   .check = [in, kind, is_rounded = shape.numbers == Numbers::fractions](
                                const ArraysAfter& after) { return check(in, kind, is_rounded, after[1]); },
                   .method = {.n_independent = shape.n, .share = share_of_loads(shape.n, 4, {1}, request.block)}});
  }
  return all;
}

/// A size whose lower 32 bits are small. One block cannot scan it in a second, so a kernel that ends has taken it for a
/// smaller one.
std::vector<ExerciseCase> huge_cases(const CaseRequest& request) {
  constexpr std::int64_t n = (std::int64_t{1} << 32) + 5;
  const std::vector<FloatPiece> in{{0, eighths(5, request.of(5))}}, before{{0, {-1}}};
  return {{.text = "size=" + std::to_string(n),
           .grid = {1},
           .block = request.block,
           .arguments = {huge_input(n, in), huge_output(n, before), scalar(n)},
           .check = [](const ArraysAfter&) { return "it ended before it could have visited all elements"; },
           .is_endless = true,
           .lesson = Lesson{"Smaller cases are right. Here size needs more than 32 bits, and the kernel takes it for a "
                            "smaller one.",
                            "Keep size, and every index up to it, in 64 bits."}}};
}

Params on_ladder(std::int64_t n, Kind kind) {
  return {{"n", n},
          {"kind", std::string(kind == Kind::inclusive ? "inclusive" : "exclusive")},
          {"dtype", std::string("float32")}};
}

std::any rung(const std::shared_ptr<const LearnerKernel>& kernel) {
  return RungFunction<FloatArgs>([kernel](const Stream& stream, const FloatArgs& args) {
    const KernelValue values[] = {args.in.data(), args.out.data(), std::ssize(args.in)};
    kernel->launch(stream, {1}, kernel->block(), values);
  });
}

Exercise exercise(const char* kernel, Kind kind, const char* title, const char* computes) {
  return {.workload = "scan",
          .kernel = kernel,
          .parameters = {{"const float*", "inp"}, {"float*", "dest"}, {"int64_t", "size"}},
          .title = title,
          .computes = computes,
          .promise = "One block computes all of dest, which is uninitialised.",
          .block = {1024},
          .grid = "one block",
          .cases = [kind](const CaseRequest& request) { return cases(request, kind); },
          .huge_cases = huge_cases,
          .ladder_case = on_ladder(1024, kind),
          .timed_case = on_ladder(std::int64_t{1} << 20, kind),
          .as_rung = rung};
}

}  // namespace

std::vector<Exercise> exercises() {
  return {exercise("scan", Kind::inclusive, "running sums, by one block",
                   "dest[i] = inp[0] + ... + inp[i] for i < size; there may be more elements than threads"),
          exercise("exclusive_scan", Kind::exclusive, "running sums of the preceding elements, by one block",
                   "dest[i] = inp[0] + ... + inp[i - 1] for i < size, dest[0] = 0; there may be more elements than "
                   "threads")};
}

}  // namespace rafter::scan_ladder
