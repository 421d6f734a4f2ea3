#include "workbench/bench/plan.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "workbench/lab/expect_error.hpp"

namespace rafter::bench {

using lab::expect_error;

namespace {

KernelRequest request() {
  return {.build = {RAFTER_BENCH_KERNELS},
          .kernels = {"several", "strided"},
          .references = {"naive"},
          .settings = {"n=1000"},
          .grids = {"ceil(n/64)", "strided=4"},
          .blocks = {"64"},
          .arguments = {"in=f32[n]:random", "out=f32[n]", "factor=f32:3"}};
}

}  // namespace

TEST(BenchPlan, ParsesKernelsReferencesAndLaunches) {
  KernelRequest asked = request();
  asked.references.push_back("scale_on_host");
  const KernelPlan plan = parse_plan(asked);
  EXPECT_EQ(plan.rungs(), (std::vector<std::string>{"naive", "several", "strided"}));
  EXPECT_EQ(plan.reference_functions, (std::vector<std::string>{"scale_on_host"}));
  const base::Names names = names_of(plan.first_case());
  EXPECT_EQ(names.at("n"), 1000);
  EXPECT_EQ(shape_of("several", plan.subjects.at("several").front().launch.value(), names).grid[0], 16u);
  EXPECT_EQ(shape_of("strided", plan.subjects.at("strided").front().launch.value(), names).grid[0], 4u);
}

TEST(BenchPlan, UsesTheFirstKernelAsTheDefaultReference) {
  KernelRequest asked = request();
  asked.references.clear();
  EXPECT_EQ(parse_plan(asked).reference_kernels, (std::vector<std::string>{"several"}));
  asked.kernels = {"several"};
  expect_error(ErrorCode::bad_argument, "there is no reference for the right result", [&] { parse_plan(asked); });
}

TEST(BenchPlan, RejectsMalformedRequests) {
  const auto refused = [](const std::string& words, const auto& change) {
    KernelRequest asked = request();
    change(asked);
    expect_error(ErrorCode::bad_argument, words, [&] { parse_plan(asked); });
  };
  refused("did you mean 'naive'?", [](KernelRequest& r) { r.references = {"naiv"}; });
  refused("no grid for naive", [](KernelRequest& r) { r.grids.clear(); });
  refused("no block for naive", [](KernelRequest& r) { r.blocks = {"several=4"}; });
  refused("--block was given twice", [](KernelRequest& r) { r.blocks = {"4", "8"}; });
  refused("did you mean 'several'?", [](KernelRequest& r) { r.grids.push_back("sevral=4"); });
  refused("--set takes NAME=VALUE", [](KernelRequest& r) { r.settings = {"n"}; });
  refused("--arg in was given twice", [](KernelRequest& r) { r.arguments.push_back("in=f32[3]"); });
  refused("not both", [](KernelRequest& r) { r.references.push_back("out=a.npy"); });
  refused("one CUDA source is expected", [](KernelRequest& r) { r.build = {"-I."}; });
}

TEST(BenchPlan, SurvivesSerialisation) {
  KernelRequest asked = request();
  asked.settings = {"n=1000,2000", "x=0.5,2"};
  asked.shared = {"strided=4*n"};
  asked.bytes = "8*n";
  asked.calls = {"two=naive<<<dim3(n, 2), 64, 4*n>>>(in + 2, out, n, 3.5f)", "two=strided"};
  asked.arguments.push_back("p=struct{i32:n,struct{f32:0.5,in},u8[3]:7}");
  asked.arguments.push_back("mask=u8[n]:random(0,2)");
  const KernelPlan plan = parse_plan(asked);
  const KernelPlan copy = kernel_plan_of(nlohmann::json::parse(to_json(plan).dump()));
  EXPECT_EQ(to_json(copy), to_json(plan));
  EXPECT_EQ(copy.sizes.front().values, plan.sizes.front().values);
  EXPECT_EQ(copy.first_case().text(), plan.first_case().text());
  EXPECT_EQ(shape_of("strided", copy.subjects.at("strided").front().launch.value(), {{"n", 3}}).shared_bytes, 12u);
  EXPECT_EQ(copy.subjects.at("two").front().operands->front().offset->text(),
            plan.subjects.at("two").front().operands->front().offset->text());
  EXPECT_EQ(shape_of("naive", copy.subjects.at("two").front().launch.value(), {{"n", 3}}).grid[1], 2u);
  EXPECT_EQ(evaluate_array(copy.arguments.back(), {{"n", 3}}).fill.high, 2);
}

TEST(BenchPlan, LaysOutStructuresAsTheCompilerDoes) {
  const Argument argument = parse_argument("p=struct{i8:1,f64:0.5,i16[3]:7,in,null}");
  const Value value = evaluate_structure(argument, {});
  EXPECT_EQ(value.bytes.size(), 40u);
  EXPECT_EQ(value.alignment, 8u);
  ASSERT_EQ(value.pointers.size(), 1u);
  EXPECT_EQ(value.pointers[0].at, 24u);
  EXPECT_EQ(value.pointers[0].array, "in");
  EXPECT_EQ(std::to_integer<int>(value.bytes[18]), 7);
}

TEST(BenchPlan, ParsesListsOfSizes) {
  KernelRequest asked = request();
  asked.settings = {"n=2^10,1024,1e4"};
  EXPECT_EQ(parse_plan(asked).sizes.front().values, (std::vector<lab::Value>{std::int64_t{1024}, std::int64_t{10000}}));
  asked.settings = {"n=2,1/2"};
  EXPECT_EQ(parse_plan(asked).sizes.front().values, (std::vector<lab::Value>{2., 0.5}));
  asked.settings = {"n=1", "n=2"};
  expect_error(ErrorCode::bad_argument, "n is given twice", [&] { parse_plan(asked); });
  asked.settings = {"n=1+"};
  expect_error(ErrorCode::bad_argument, "--set '1+'", [&] { parse_plan(asked); });
}

TEST(BenchPlan, RejectsLaunchesBeyondTheLimits) {
  using Texts = std::vector<std::string>;
  const auto refused = [](const std::string& words, const Texts& grid, const Texts& block) {
    LaunchExpressions launch;
    for (const std::string& text : grid) launch.grid.emplace_back(text);
    for (const std::string& text : block) launch.block.emplace_back(text);
    expect_error(ErrorCode::bad_argument, words, [&] { shape_of("k", launch, {{"n", 7}}); });
  };
  refused("at most 1024 threads", {"1"}, {"64", "32"});
  refused("ceil(n/2)", {"n/2"}, {"32"});
  refused("1 to 2^31-1", {"n-7"}, {"32"});
  refused("65535", {"1", "1e6"}, {"32"});
  refused("three extents", {"1", "1", "1", "1"}, {"32"});
}

}  // namespace rafter::bench
