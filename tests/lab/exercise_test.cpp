// What exercises are made of: arguments, answers, and functions that a workload adopts.
#include "lab/workload/exercise.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "lab/workload/registry.hpp"
#include "rafter/error.hpp"
#include "sum/sum_rung.hpp"

namespace rafter::lab {
namespace {

std::vector<std::byte> bytes_of(const std::vector<float>& values) { return output(values).bytes; }

TEST(Exercise, RightArraysNeedNoSentence) {
  const std::vector<double> expected{1, 2, -3};
  EXPECT_EQ(compare_floats("dest", bytes_of({1, 2, -3}), expected), "");
  EXPECT_EQ(compare_floats("dest", bytes_of({1.00009F, 2, -3}), expected), "");
  EXPECT_NE(compare_floats("dest", bytes_of({1.0002F, 2, -3}), expected), "");
  EXPECT_EQ(compare_floats("dest", {}, {}), "");
}

TEST(Exercise, AWrongElementIsNamedWithBothValues) {
  const std::vector<double> expected{1, 2, 0};
  EXPECT_EQ(compare_floats("dest", bytes_of({1, 5, 7}), expected),
            "dest[1]: expected 2, got 5 (2 of 3 elements are wrong)");
  EXPECT_NE(compare_floats("dest", bytes_of({1, std::numeric_limits<float>::quiet_NaN(), 0}), expected), "");
}

TEST(Exercise, UnwrittenElementsAreNamedAsSuch) {
  std::vector<std::byte> array = unwritten(4).bytes;
  const std::vector<double> expected{1, 2, 3, 4};
  EXPECT_EQ(compare_floats("dest", array, expected),
            "dest[0..3] were never written: they still hold what was there before");
  const std::vector<std::byte> first = bytes_of({1, 9});
  std::copy(first.begin(), first.end(), array.begin());
  EXPECT_EQ(compare_floats("dest", array, expected),
            "dest[2..3] were never written: they still hold what was there before; "
            "dest[1]: expected 2, got 9 (1 of 4 elements are wrong)");
}

TEST(Exercise, EveryOneIsCompleteAndWithinTheLimitsOfAGpu) {
  const std::vector<Exercise> all = built_exercises();
  const std::vector<const Workload*> workloads = built_workloads();
  EXPECT_EQ(all.size(), 11U);
  for (const Exercise& exercise : all) {
    const Workload& workload = workload_called(workloads, exercise.workload);
    EXPECT_EQ(static_cast<bool>(exercise.as_rung), exercise.timed_case.has_value()) << exercise.kernel;
    EXPECT_TRUE(!exercise.as_rung || workload.adopt) << exercise.kernel;
    for (const auto& params : {exercise.ladder_case, exercise.timed_case}) {
      if (params) complete(workload, *params);
    }
    for (const ExerciseCase& one : exercise.cases(exercise.block)) {
      EXPECT_EQ(one.arguments.size(), exercise.parameters.size()) << exercise.kernel;
      EXPECT_LE(one.block.count(), 1024);
      EXPECT_GE(one.grid.count(), 1);
      ArraysAfter untouched;
      for (const ExerciseArgument& argument : one.arguments) untouched.push_back(argument.bytes);
      const bool is_empty = one.text == "size=0";
      EXPECT_EQ(one.check(untouched).empty(), is_empty || one.text == "size=1000 threshold=0")
          << exercise.kernel << " " << one.text << ": a kernel that does nothing is not right";
    }
  }
}

TEST(Exercise, AWorkloadAdoptsAFunctionOfItsForm) {
  const std::vector<const Workload*> workloads = built_workloads();
  const Workload& sum = workload_called(workloads, "sum");
  using Args = sum_ladder::SumArgs<float>;
  const RunRung run = sum.adopt(RungFunction<Args>([](const Stream&, const Args& args) {
    *args.out = 0;
    for (const float x : args.in) *args.out += x;
  }));
  const Stream stream = Stream::cpu(1);
  const auto work = sum.make_case({{"n", std::int64_t{1000}}, {"dtype", std::string("float32")}}, stream, {});
  run(*work, stream, 0);
  EXPECT_TRUE(work->check(0).ok());
  const auto doubles = sum.make_case({{"n", std::int64_t{10}}, {"dtype", std::string("float64")}}, stream, {});
  EXPECT_THROW(run(*doubles, stream, 0), Error);
}

}  // namespace
}  // namespace rafter::lab
