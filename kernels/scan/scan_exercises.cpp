// scan: a bonus of the course, the inclusive sum by one block.
#include "lab/workload/exercise.hpp"
#include "lab/workload/workload.hpp"
#include "scan/scan_rung.hpp"

namespace rafter::scan_ladder {

namespace {

using namespace lab;
using FloatArgs = ScanArgs<float>;

std::vector<ExerciseCase> cases(const Extents& block) {
  std::vector<ExerciseCase> all;
  for (const std::int64_t n : {1024, 1, 32, 33, 1000, 1025, 5000}) {
    const std::vector<float> in = eighths(n, static_cast<std::uint64_t>(n));
    std::vector<double> sums;
    double sum = 0;
    for (const float x : in) sums.push_back(sum += static_cast<double>(x));
    all.push_back({"size=" + std::to_string(n),
                   {1},
                   block,
                   {input(in), unwritten(n), scalar(n)},
                   [sums](const ArraysAfter& after) { return compare_floats("dest", after[1], sums); }});
  }
  return all;
}

Params inclusive(std::int64_t n) {
  return {{"n", n}, {"kind", std::string("inclusive")}, {"dtype", std::string("float32")}};
}

std::any rung(const std::shared_ptr<const LearnerKernel>& kernel) {
  return RungFunction<FloatArgs>([kernel](const Stream& stream, const FloatArgs& args) {
    const KernelValue values[] = {args.in.data(), args.out.data(), std::ssize(args.in)};
    kernel->launch(stream, {1}, kernel->block(), values);
  });
}

}  // namespace

std::vector<Exercise> exercises() {
  return {{.workload = "scan",
           .kernel = "scan",
           .parameters = {{"const float*", "inp"}, {"float*", "dest"}, {"int64_t", "size"}},
           .computes = "dest[i] = inp[0] + ... + inp[i] for i < size; there may be more elements than threads",
           .promise = "One block does it all; nobody has written dest.",
           .block = {1024},
           .grid = "one block",
           .cases = cases,
           .ladder_case = inclusive(1024),
           .timed_case = inclusive(std::int64_t{1} << 20),
           .as_rung = rung}};
}

}  // namespace rafter::scan_ladder
