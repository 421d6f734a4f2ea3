// Rung objects, the cases they run on, and functions adopted as rungs.
#include "workbench/lab/cases/ladder.hpp"

#include <gtest/gtest.h>

#include "expect_error.hpp"
#include "workbench/lab/cases/case_arrays.hpp"
#include "workbench/lab/workload/dtypes.hpp"

namespace rafter::lab {
namespace {

template <class T, class Index>
struct PickArgs {
  std::span<const T> from;
  Index index;
  T* out;
};
using Values = Types<float, std::int64_t>;
using Indices = Types<std::int32_t, std::int64_t>;
using PickRung = core::RungOf<PickArgs, Values, Indices>;

constexpr PickRung pick{[]<class T, class Index>(const Stream&, PickArgs<T, Index> args) {
  *args.out = args.from[static_cast<std::size_t>(args.index)];
}};

template <class T, class Index>
class PickCase final : public CaseFor<PickArgs<T, Index>> {
 public:
  PickCase(const Params&, const Stream& stream, const CaseOptions& options)
      : CaseFor<PickArgs<T, Index>>(stream, options) {}
  static bool fits(const Params& params) { return is_dtype<T>(params) && is_dtype<Index>(params, "index"); }
  Cost cost() const override { return {}; }
  PickArgs<T, Index> args(int set) override { return {from_.span(set), 7, out_.data()}; }

 private:
  Comparison compare_results(int set) const override {
    return compare_elements<T>(out_.on_host(), [&](std::int64_t) { return from_.element(set, 7); });
  }
  Input<T> from_{*this, "from", 10};
  Output<T> out_{*this, "out", 1};
};
using Cases = CasesOf<PickCase, Values, Indices>;

Params with(const std::string& dtype, const std::string& index) { return {{"dtype", dtype}, {"index", index}}; }

TEST(Ladder, RungRunsOnCasesOfAllItsTypes) {
  const Stream stream = Stream::cpu();
  for (const std::string& dtype : dtype_names(Values{})) {
    for (const std::string& index : dtype_names(Indices{})) {
      const auto work = Cases::make(with(dtype, index), stream, {});
      work->prepare(1);
      EXPECT_FALSE(work->check(1).ok());
      run_of(pick)(*work, stream, 1);
      EXPECT_TRUE(work->check(1).ok()) << dtype << " " << index;
    }
  }
}

TEST(Ladder, ListsOfTypesAreParameters) {
  const Parameter parameter = dtype_parameter(Types<double, Half>{});
  EXPECT_EQ(parameter.choices, (std::vector<std::string>{"float64", "float16"}));
  EXPECT_EQ(std::get<std::string>(parameter.standard), "float64");
}

TEST(Ladder, CaseOfAnUnknownTypeIsAnError) {
  expect_error(ErrorCode::bad_argument, "dtype=float64",
               [] { Cases::make(with("float64", "int32"), Stream::cpu(), {}); });
}

TEST(Ladder, RungOnACaseOfAnotherTypeIsAnError) {
  static constexpr core::RungOf<PickArgs, Types<float>, Types<std::int32_t>> floats{
      []<class T, class Index>(const Stream&, PickArgs<T, Index>) {}};
  const Stream stream = Stream::cpu();
  const auto work = Cases::make(with("int64", "int32"), stream, {});
  expect_error(ErrorCode::bad_argument, "no function for the types", [&] { run_of(floats)(*work, stream, 0); });
}

TEST(Ladder, AdoptedFunctionRunsOnItsTypesOnly) {
  const Stream stream = Stream::cpu();
  using Args = PickArgs<float, std::int32_t>;
  const RunRung run = Adopt<PickRung>{}(RungFunction<Args>([](const Stream&, const Args& args) { *args.out = 3; }));
  const auto floats = Cases::make(with("float32", "int32"), stream, {});
  run(*floats, stream, 0);
  EXPECT_EQ(dynamic_cast<CaseFor<Args>&>(*floats).args(0).out[0], 3.f);
  const auto integers = Cases::make(with("int64", "int32"), stream, {});
  expect_error(ErrorCode::unsupported, "another element type", [&] { run(*integers, stream, 0); });
}

}  // namespace
}  // namespace rafter::lab
