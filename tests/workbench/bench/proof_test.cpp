// Small cases of user kernels on the executor, and what follows from their verdicts.
#include "workbench/bench/proof.hpp"

#include <gtest/gtest.h>

#include "base/files.hpp"
#include "base/npy.hpp"

namespace rafter::bench {
namespace {

KernelPlan plan_with(std::vector<Size> sizes, const std::vector<std::string>& arguments) {
  KernelPlan plan{.sizes = std::move(sizes)};
  for (const std::string& argument : arguments) plan.arguments.push_back(parse_argument(argument));
  return plan;
}

std::vector<std::int64_t> small_sizes(const KernelPlan& plan) {
  std::vector<std::int64_t> values;
  const KernelPlan small = small_plan(plan).value();
  for (const Size& size : small.sizes) values.push_back(std::get<std::int64_t>(size.values.front()));
  return values;
}

TEST(SmallPlan, HalvesTheLargestSizeUntilTheArraysAreSmall) {
  const std::int64_t n = 1 << 24;
  EXPECT_EQ(small_sizes(plan_with({{"n", {n}}}, {"in=f32[n]:random", "out=f32[n]"})),
            (std::vector<std::int64_t>{1 << 17}));
  const KernelPlan image =
      plan_with({{"w", {std::int64_t{8192}}}, {"h", {std::int64_t{8192}}}, {"r", {std::int64_t{3}}}},
                {"in=f32[h,w]:random", "out=f32[h,w]"});
  EXPECT_EQ(small_sizes(image), (std::vector<std::int64_t>{256, 512, 3}));
}

TEST(SmallPlan, KeepsSmallSizesAndTakesTheFirstValues) {
  const KernelPlan sweep = plan_with({{"n", {std::int64_t{1000}, std::int64_t{1 << 24}}}}, {"in=f32[n]:random"});
  EXPECT_EQ(small_sizes(sweep), (std::vector<std::int64_t>{1000}));
  EXPECT_EQ(small_plan(sweep).value().sizes[0].values.size(), 1u);
}

TEST(SmallPlan, FailsWhereSizesCannotChange) {
  EXPECT_FALSE(small_plan(plan_with({}, {"in=f32[2^24]:random"})));
  EXPECT_FALSE(small_plan(plan_with({{"factor", {2.5}}}, {"in=f32[2^24]:random"})));
  const base::ScratchFolder folder;
  const std::string file = (folder.path() / "in.npy").string();
  const std::vector<float> values(1 << 20);
  base::write_npy<float>(file, {1 << 20}, values);
  EXPECT_FALSE(small_plan(plan_with({{"n", {std::int64_t{1 << 20}}}}, {"in=f32[n]:" + file})));
}

TEST(SmallPlan, IsNeededOnAGpuAndForLargeArrays) {
  BenchPlan plan{.kernels = plan_with({{"n", {std::int64_t{1000}}}}, {"in=f32[n]:random"}), .device = Device::simt};
  EXPECT_FALSE(needs_proof(plan));
  plan.device = Device::cuda;
  EXPECT_TRUE(needs_proof(plan));
  plan.device = Device::simt;
  plan.kernels.sizes[0].values = {std::int64_t{1 << 20}};
  EXPECT_TRUE(needs_proof(plan));
}

TEST(Proof, RejectsOnlyForWhereValuesComeFrom) {
  const Proof proof = sort_verdicts({{"right", {{lab::Status::verified, ""}}},
                                     {"stale", {{lab::Status::wrong, "kernel stale [reads_stale_output]\n  x.cu:3"}}},
                                     {"odd", {{lab::Status::wrong, "3 of 500 differ\nmore"}}},
                                     {"hangs", {{lab::Status::failed, "it did not end"}}}},
                                    "n=500");
  EXPECT_EQ(proof.proved, std::vector<std::string>{"right"});
  ASSERT_EQ(proof.rejected.size(), 1u);
  EXPECT_TRUE(proof.rejected.at("stale").reason.starts_with("on the executor, with n=500: kernel stale"));
  EXPECT_EQ(proof.notes,
            "hangs is FAILED on the executor, with n=500, so that it shows nothing about its values: it did not end\n"
            "odd is WRONG on the executor, with n=500, so that it shows nothing about its values: 3 of 500 differ\n");
}

TEST(Proof, TrustsTheProvedRungs) {
  lab::Workload workload;
  workload.rungs.resize(2);
  for (lab::Rung& rung : workload.rungs) rung.trust = lab::Trust::unproved;
  workload.rungs[0].name = "a";
  workload.rungs[1].name = "b";
  trust(workload, {"b"});
  EXPECT_EQ(workload.rungs[0].trust, lab::Trust::unproved);
  EXPECT_EQ(workload.rungs[1].trust, lab::Trust::proved);
}

}  // namespace
}  // namespace rafter::bench
