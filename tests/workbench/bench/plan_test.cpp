#include "workbench/bench/plan.hpp"

#include <gtest/gtest.h>

#include "workbench/lab/expect_error.hpp"

namespace rafter::bench {

using lab::expect_error;

namespace {

Request request() {
  return {.build = {RAFTER_BENCH_KERNELS},
          .kernels = {"several", "strided"},
          .references = {"naive"},
          .settings = {"n=1000"},
          .grids = {"ceil(n/64)", "strided=4"},
          .blocks = {"64"},
          .arguments = {"in=f32[n]:random", "out=f32[n]", "factor=f32:3"}};
}

}  // namespace

TEST(BenchPlan, KnowsKernelsReferencesAndLaunches) {
  Request asked = request();
  asked.references.push_back("scale_on_host");
  const Plan plan = make_plan(asked);
  EXPECT_EQ(plan.rungs(), (std::vector<std::string>{"naive", "several", "strided"}));
  EXPECT_EQ(plan.reference_functions, (std::vector<std::string>{"scale_on_host"}));
  const base::Names names = names_of(plan.first_case());
  EXPECT_EQ(names.at("n"), 1000);
  EXPECT_EQ(shape_of("several", plan.launches.at("several"), names).grid[0], 16u);
  EXPECT_EQ(shape_of("strided", plan.launches.at("strided"), names).grid[0], 4u);
}

TEST(BenchPlan, TakesTheFirstKernelForTheReferenceWhereNoneIsNamed) {
  Request asked = request();
  asked.references.clear();
  EXPECT_EQ(make_plan(asked).reference_kernels, (std::vector<std::string>{"several"}));
  asked.kernels = {"several"};
  expect_error(ErrorCode::bad_argument, "nothing says what is right", [&] { make_plan(asked); });
}

TEST(BenchPlan, SaysWhatIsWrong) {
  const auto refused = [](const std::string& words, const auto& change) {
    Request asked = request();
    change(asked);
    expect_error(ErrorCode::bad_argument, words, [&] { make_plan(asked); });
  };
  refused("did you mean 'naive'?", [](Request& r) { r.references = {"naiv"}; });
  refused("no grid for naive", [](Request& r) { r.grids.clear(); });
  refused("no block for naive", [](Request& r) { r.blocks = {"several=4"}; });
  refused("--block was given twice", [](Request& r) { r.blocks = {"4", "8"}; });
  refused("did you mean 'several'?", [](Request& r) { r.grids.push_back("sevral=4"); });
  refused("--set takes NAME=VALUE", [](Request& r) { r.settings = {"n"}; });
  refused("--arg in was given twice", [](Request& r) { r.arguments.push_back("in=f32[3]"); });
  refused("not both", [](Request& r) { r.references.push_back("out=a.npy"); });
  refused("one CUDA source is expected", [](Request& r) { r.build = {"-I."}; });
}

TEST(BenchPlan, KnowsTheLimitsOfALaunch) {
  const auto refused = [](const std::string& words, const LaunchExpressions& launch) {
    expect_error(ErrorCode::bad_argument, words, [&] { shape_of("k", launch, {{"n", 7}}); });
  };
  refused("at most 1024 threads", {{"1"}, {"64", "32"}});
  refused("ceil(n/2)", {{"n/2"}, {"32"}});
  refused("1 to 2^31-1", {{"n-7"}, {"32"}});
  refused("65535", {{"1", "1e6"}, {"32"}});
  refused("three extents", {{"1", "1", "1", "1"}, {"32"}});
}

}  // namespace rafter::bench
