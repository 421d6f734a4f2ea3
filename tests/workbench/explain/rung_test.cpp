#include "workbench/explain/rung.hpp"

#include <gtest/gtest.h>

namespace rafter::explain {
namespace {

RungFacts measured(double cold_ns, double floor_ns) {
  return {.workload = "sum",
          .params = "n=2^20",
          .device = "cuda",
          .rung = "atomic",
          .idea = "Every thread adds.",
          .source = "kernels/sum/ladder/atomic.cu",
          .next = "block_tree",
          .next_idea = "A tree.",
          .next_ns = cold_ns / 2,
          .times = {.device = "cuda", .cold_ns = cold_ns, .floor_ns = floor_ns},
          .floor_limit = "memory"};
}

TEST(Rung, ReportsTheFloorFirst) {
  EXPECT_EQ(diagnose(measured(100, 95)).front().cause, Cause::memory_floor);
  EXPECT_EQ(diagnose(measured(100, 20)).front().cause, Cause::above_floor);
  EXPECT_NEAR(diagnose(measured(100, 20)).front().worth, 5, 1e-9);
}

TEST(Rung, LaunchesCountAsEmptyKernels) {
  RungFacts facts = measured(30e3, 1e3);
  facts.launches = 10;
  facts.launch_ns = 2e3;
  EXPECT_EQ(diagnose(facts).front().cause, Cause::launch);
  facts.launches = 2;
  EXPECT_NE(diagnose(facts).front().cause, Cause::launch);
}

TEST(Rung, LargestStageHasAmdahlsBound) {
  RungFacts facts = measured(100e3, 1e3);
  facts.stages = {{"norm", 25e3}, {"product", 75e3}};
  const auto findings = diagnose(facts);
  EXPECT_EQ(findings.front().cause, Cause::stage);
  EXPECT_NEAR(findings.front().worth, 4, 1e-9);
  facts.stages = {{"all", 100e3}};
  EXPECT_NE(diagnose(facts).front().cause, Cause::stage);
}

TEST(Rung, ScreenShowsTheNextRung) {
  const RungFacts facts = measured(100e3, 1e3);
  const std::string text = screen(facts, diagnose(facts), base::Style::plain);
  EXPECT_NE(text.find("Next:   block_tree: A tree. It takes 50.0 us here, 2.00x."), std::string::npos) << text;
  EXPECT_NE(text.find("rafter show sum block_tree"), std::string::npos) << text;
}

}  // namespace
}  // namespace rafter::explain
