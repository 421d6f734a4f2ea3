// scan's exercises: inclusive and exclusive running sums by one block.
#include "scan/scan_rung.hpp"
#include "workbench/lab/workload/exercise.hpp"
#include "workbench/lab/workload/workload.hpp"

namespace rafter::scan_ladder {

namespace {

using namespace lab;
using FloatArgs = ScanArgs<float>;

enum class Kind { inclusive, exclusive };

std::vector<double> sums_of(std::span<const float> in, Kind kind) {
  std::vector<double> sums;
  double sum = 0;
  for (const float x : in) {
    const double before = sum;
    sum += static_cast<double>(x);
    sums.push_back(kind == Kind::inclusive ? sum : before);
  }
  return sums;
}

std::string check(std::span<const float> in, Kind kind, std::span<const std::byte> after) {
  const std::string text = compare_floats("dest", after, sums_of(in, kind));
  const Kind other = kind == Kind::inclusive ? Kind::exclusive : Kind::inclusive;
  if (text.empty() || !compare_floats("dest", after, sums_of(in, other)).empty()) return text;
  return text + (other == Kind::inclusive ? "; that is the inclusive scan, but dest[i] must not include element i"
                                          : "; that is the exclusive scan, but dest[i] must include element i");
}

std::vector<ExerciseCase> cases(const Extents& block, Kind kind) {
  std::vector<ExerciseCase> all;
  for (const std::int64_t n : {1024, 1, 32, 33, 1000, 1025, 5000}) {
    const std::vector<float> in = eighths(n, static_cast<std::uint64_t>(n));
    all.push_back({"size=" + std::to_string(n),
                   {1},
                   block,
                   {input(in), unwritten(n), scalar(n)},
                   [in, kind](const ArraysAfter& after) { return check(in, kind, after[1]); }});
  }
  return all;
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
          .cases = [kind](const Extents& block) { return cases(block, kind); },
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
