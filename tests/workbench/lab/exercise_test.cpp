// The parts of exercises: arguments, answers, and functions that a workload adopts.
#include "workbench/lab/workload/exercise.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "rafter/error.hpp"
#include "sum/sum_rung.hpp"
#include "workbench/lab/workload/registry.hpp"

namespace rafter::lab {
namespace {

std::vector<std::byte> bytes_of(const std::vector<float>& values) { return output(values).bytes; }

TEST(Exercise, CorrectArraysGiveNoMessage) {
  const std::vector<double> expected{1, 2, -3};
  EXPECT_EQ(compare_floats("dest", bytes_of({1, 2, -3}), expected), "");
  EXPECT_NE(compare_floats("dest", bytes_of({1.00001F, 2, -3}), expected), "");
  EXPECT_EQ(compare_floats("dest", {}, {}), "");
}

TEST(Exercise, WrongElementIsNamedWithBothValues) {
  const std::vector<double> expected{1, 2, 0};
  EXPECT_EQ(compare_floats("dest", bytes_of({1, 5, 7}), expected),
            "dest[1]: expected 2, got 5 (2 of 3 elements are wrong)");
  EXPECT_NE(compare_floats("dest", bytes_of({1, std::numeric_limits<float>::quiet_NaN(), 0}), expected), "");
}

TEST(Exercise, EveryElementHasItsOwnBound) {
  const std::vector<Expectation> expected{{1, 0.5}, {0, 0}, {-3, 2}};
  EXPECT_EQ(compare_within_bounds("dest", bytes_of({1.5F, 0, -5}), expected), "");
  EXPECT_EQ(compare_within_bounds("dest", bytes_of({1.5F, 0.001F, -5}), expected),
            "dest[1]: expected 0, got 0.001 (1 of 3 elements are wrong)");
  EXPECT_NE(compare_within_bounds("dest", bytes_of({1.5F, 0, std::numeric_limits<float>::infinity()}), expected), "");
}

TEST(Exercise, UnwrittenElementsAreNamedAsSuch) {
  std::vector<std::byte> array = unwritten(4).bytes;
  const std::vector<double> expected{1, 2, 3, 4};
  EXPECT_EQ(compare_floats("dest", array, expected),
            "dest[0..3] were never written: they still hold their initial values");
  const std::vector<std::byte> first = bytes_of({1, 9});
  std::copy(first.begin(), first.end(), array.begin());
  EXPECT_EQ(compare_floats("dest", array, expected),
            "dest[2..3] were never written: they still hold their initial values; "
            "dest[1]: expected 2, got 9 (1 of 4 elements are wrong)");
}

/// Whether the arrays of a case are right before the launch: there are no elements, or none is to be written.
bool has_nothing_to_write(const ExerciseCase& one) {
  const bool has_output = std::any_of(one.arguments.begin(), one.arguments.end(), [](const ExerciseArgument& argument) {
    return argument.role == ArgumentRole::output && !argument.bytes.empty();
  });
  const std::vector<std::string> texts{"size=0",
                                       "size=0 segments=4",
                                       "size=0 threshold=1",
                                       "size=1000 threshold=0",
                                       "size=700 threshold=-2.5",
                                       "size=600 threshold=nan",
                                       "aSize=0 bSize=120, some out of range"};
  // A sum of no elements for a block must be written; the number that sum_atomic adds to is 0 before.
  const bool is_unset = std::any_of(one.arguments.begin(), one.arguments.end(), [](const ExerciseArgument& argument) {
    return argument.bytes.size() == 4 && !argument.is_written;
  });
  return !has_output || (std::find(texts.begin(), texts.end(), one.text) != texts.end() && !is_unset);
}

TEST(Exercise, EveryExerciseIsCompleteAndWithinGpuLimits) {
  const std::vector<Exercise> all = built_exercises();
  const std::vector<const Workload*> workloads = built_workloads();
  EXPECT_EQ(all.size(), 22U);
  for (const Exercise& exercise : all) {
    EXPECT_EQ(static_cast<bool>(exercise.as_rung), exercise.timed_case.has_value()) << exercise.kernel;
    EXPECT_FALSE(exercise.title.empty()) << exercise.kernel;
    if (exercise.ladder_case || exercise.timed_case) {
      const Workload& workload = workload_called(workloads, exercise.workload);
      EXPECT_TRUE(!exercise.as_rung || workload.adopt) << exercise.kernel;
      for (const auto& params : {exercise.ladder_case, exercise.timed_case}) {
        if (params) complete(workload, *params);
      }
    }
    for (const ExerciseCase& one : exercise.cases({exercise.block, 0})) {
      EXPECT_EQ(one.arguments.size(), exercise.parameters.size()) << exercise.kernel;
      EXPECT_LE(one.block.count(), 1024);
      EXPECT_EQ(one.grid.count() >= 1, exercise.kind == ExerciseKind::kernel) << exercise.kernel;
      ArraysAfter untouched;
      for (const ExerciseArgument& argument : one.arguments) untouched.push_back(argument.bytes);
      EXPECT_EQ(one.check(untouched).empty(), has_nothing_to_write(one))
          << exercise.kernel << " " << one.text << ": a kernel that does nothing must be wrong";
    }
  }
}

TEST(Exercise, HugeCasesNeed64BitIndicesAndLittleMemory) {
  int n_huge = 0;
  for (const Exercise& exercise : built_exercises()) {
    if (!exercise.huge_cases || exercise.kind == ExerciseKind::host_function) continue;
    for (const ExerciseCase& one : exercise.huge_cases({exercise.block, 0})) {
      ++n_huge;
      EXPECT_TRUE(one.ends_only || one.rehearsal == nullptr) << exercise.kernel;
      std::int64_t largest = 0;
      ArraysAfter untouched;
      for (const ExerciseArgument& argument : one.arguments) {
        std::int64_t in_pieces = 0;
        for (const Piece& piece : argument.pieces) {
          in_pieces += piece.bytes;
          EXPECT_LE(piece.offset + piece.bytes, argument.huge_bytes) << exercise.kernel;
        }
        EXPECT_TRUE(argument.huge_bytes == 0 || in_pieces == std::ssize(argument.bytes)) << exercise.kernel;
        EXPECT_LT(argument.bytes.size(), std::size_t{4} << 20) << exercise.kernel;
        largest = std::max(largest, argument.huge_bytes / 4);
        untouched.push_back(argument.bytes);
      }
      EXPECT_GE(largest, (std::int64_t{1} << 31) - 1) << exercise.kernel;
      EXPECT_NE(one.check(untouched), "") << exercise.kernel << ": a kernel that does nothing must be wrong";
    }
  }
  EXPECT_GE(n_huge, 8);
}

TEST(Exercise, SpecialNumbersAreComparedBitByBit) {
  const std::vector<float> expected = with_special(eighths(40, 1));
  EXPECT_EQ(compare_moved("dest", bytes_of(expected), expected), "");
  std::vector<float> positive = expected;
  positive[3] = 0;  // where -0 belongs
  EXPECT_NE(compare_moved("dest", bytes_of(positive), expected), "");
  const std::vector<double> nan{std::numeric_limits<double>::quiet_NaN()};
  EXPECT_EQ(compare_floats("dest", bytes_of({std::numeric_limits<float>::quiet_NaN()}), nan), "");
  EXPECT_NE(compare_floats("dest", unwritten(1).bytes, nan), "")
      << "the pattern of uninitialised memory is not an answer";
}

TEST(Exercise, DetectsResultsTruncatedToIntegers) {
  const std::vector<float> in = eighths(20, 1);
  std::vector<float> cut;
  for (const float x : in) cut.push_back(std::trunc(x));
  const std::vector<double> expected(in.begin(), in.end());
  EXPECT_NE(compare_floats("dest", bytes_of(cut), expected).find("is a value converted to int?"), std::string::npos);
}

/// A kernel that counts its launches.
class CountingKernel final : public LearnerKernel {
 public:
  void launch(const Stream&, const Extents&, const Extents&, std::span<const KernelValue>) const override {
    ++n_launches_;
  }
  const Extents& block() const override { return block_; }
  int n_launches() const { return n_launches_; }

 private:
  Extents block_{512};
  mutable int n_launches_ = 0;
};

TEST(Exercise, EveryTimedExerciseRunsOnTheTypesOfItsCase) {
  const std::vector<const Workload*> workloads = built_workloads();
  for (const Exercise& exercise : built_exercises()) {
    if (!exercise.as_rung) continue;
    const Workload& workload = workload_called(workloads, exercise.workload);
    Params params = complete(workload, *exercise.timed_case);
    for (const Parameter& parameter : workload.parameters) {  // the same case with small sizes
      if (parameter.is_size) params.set(parameter.name, std::min(params.integer(parameter.name), std::int64_t{64}));
    }
    const auto work = workload.make_case(params, Stream::cpu(1), {.seed = 1, .n_input_sets = 1});
    const auto kernel = std::make_shared<CountingKernel>();
    EXPECT_NO_THROW(workload.adopt(exercise.as_rung(kernel))(*work, Stream::cpu(1), 0)) << exercise.kernel;
    EXPECT_GE(kernel->n_launches(), 1) << exercise.kernel;
  }
}

/// Returns the message for a wrong convolution of 1x3x17x18 by 2 x 3x3, pad 1. pixel(c, y, x) replaces inp, and
/// weight(p, q) is the index of the weight used.
template <class Pixel, class Weight>
std::string wrong_convolution(int n_channels, Pixel pixel, Weight weight) {
  const std::vector<Exercise> all = built_exercises();
  const auto exercise = std::find_if(all.begin(), all.end(), [](const Exercise& e) { return e.kernel == "conv"; });
  const ExerciseCase one = exercise->cases({exercise->block, 0}).at(3);
  EXPECT_EQ(one.text, "inp=1x3x17x18 maps=2 ksize=3 pad=1");
  const std::vector<float> inp = floats(one.arguments[0].bytes), kernels = floats(one.arguments[1].bytes);
  std::vector<float> dest;
  for (int i = 0; i < 2 * 17 * 18; ++i) {
    float sum = 0;
    for (int tap = 0; tap < n_channels * 9; ++tap) {
      const int c = tap / 9, y = i / 18 % 17 + tap / 3 % 3 - 1, x = i % 18 + tap % 3 - 1;
      const auto at = [&](int row, int col) {
        const bool is_inside = row >= 0 && row < 17 && col >= 0 && col < 18;
        return is_inside ? inp[static_cast<std::size_t>((c * 17 + row) * 18 + col)] : 0.F;
      };
      const int of_kernel = (i / (17 * 18) * 3 + c) * 9 + weight(tap / 3 % 3, tap % 3);
      sum += pixel(at, y, x) * kernels[static_cast<std::size_t>(of_kernel)];
    }
    dest.push_back(sum);
  }
  return one.check({{}, {}, bytes_of(dest)});
}

TEST(Exercise, RecognisesMistakesInAConvolution) {
  const auto right = [](const auto& at, int y, int x) { return at(y, x); };
  const auto in_order = [](int p, int q) { return p * 3 + q; };
  EXPECT_EQ(wrong_convolution(3, right, in_order), "");
  const auto says = [](const std::string& text, const char* phrase) {
    EXPECT_NE(text.find(phrase), std::string::npos) << text;
  };
  says(wrong_convolution(3, right, [](int p, int q) { return 8 - p * 3 - q; }), "kernels rotated by 180 degrees");
  says(wrong_convolution(3, right, [](int p, int q) { return q * 3 + p; }), "rows and columns exchanged");
  says(wrong_convolution(1, right, in_order), "the first channel only");
  says(wrong_convolution(
           3, [](const auto& at, int y, int x) { return at(y + 1, x + 1); }, in_order),
       "has the value of [y+1][x+1]");
  const auto nearest = [](const auto& at, int y, int x) { return at(std::clamp(y, 0, 16), std::clamp(x, 0, 17)); };
  says(wrong_convolution(3, nearest, in_order), "the padding is zeros");
  const std::string unknown = wrong_convolution(2, right, in_order);
  says(unknown, "dest[0] is image 0, map 0, row 0, column 0");
  EXPECT_EQ(unknown.find("that is"), std::string::npos) << unknown;
}

TEST(Exercise, WorkloadAdoptsAFunctionWithItsArguments) {
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
