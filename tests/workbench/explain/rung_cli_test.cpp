// Runs rafter explain WORKLOAD [RUNG] as a user does.
#include "../../executor/tool.hpp"

namespace rafter::simt::test {
namespace {

class ExplainRung : public ToolTest {};

TEST_F(ExplainRung, ReportsTheLimitAndTheNextRung) {
  const Outcome outcome = rafter("explain sum plain --size 2^16 --device cpu --json");
  ASSERT_EQ(outcome.code, 0) << outcome.all();
  const json report = outcome.report();
  EXPECT_EQ(report["rung"], "plain");
  EXPECT_EQ(report["next"]["rung"], "simd");
  EXPECT_GT(report["times"]["cold_ns"].get<double>(), 0);
  EXPECT_GT(report["times"]["floor_ns"].get<double>(), 0);
  EXPECT_FALSE(report["findings"].empty());
}

TEST_F(ExplainRung, ShowsTheStagesOfACompositeRung) {
  const Outcome outcome = rafter("explain spectral batched --batch 16 --device cpu");
  ASSERT_EQ(outcome.code, 0) << outcome.all();
  for (const char* part : {"if free", "encoder", "Measured: cold"})
    EXPECT_TRUE(has(outcome.out, part)) << part << outcome.all();
}

TEST_F(ExplainRung, RefusesUnknownNames) {
  const auto refused = [this](const std::string& words, const char* said) {
    const Outcome outcome = rafter("explain " + words);
    EXPECT_EQ(outcome.code, 2) << words << outcome.all();
    EXPECT_TRUE(has(outcome.err, said)) << words << outcome.all();
  };
  refused("smu", "did you mean 'sum'");
  refused("sum plian --device cpu", "did you mean 'plain'");
  refused("sum plain simd --device cpu", "one argument too many");
  refused("sum --nn 3 --device cpu", "--nn");
  refused("sum --n 1000,2000 --device cpu", "one case");
}

}  // namespace
}  // namespace rafter::simt::test
