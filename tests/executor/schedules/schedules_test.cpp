// The schedule of blocks and warps: deterministic, different for every seed. Races are found in all schedules.
#include <set>

#include "../tool.hpp"

namespace rafter::simt::test {
namespace {

std::string printed(const std::string& options) {
  const Outcome outcome = rafter(here / "schedules", "exec order.cu " + options);
  EXPECT_EQ(outcome.code, 0) << outcome.all();
  EXPECT_FALSE(outcome.out.empty());
  return outcome.out;
}

TEST(Schedules, IsDeterministicOnOneThread) {
  const std::string first = printed("--threads 1");
  EXPECT_EQ(printed("--threads 1"), first);
  EXPECT_EQ(printed("--threads 1"), first);
}

TEST(Schedules, SeedReplaysItsSchedule) {
  for (const char* seed : {"--schedule 1", "--schedule 77", "--schedule 4000000000"}) {
    const std::string first = printed(seed);
    EXPECT_EQ(printed(seed), first) << seed;
    EXPECT_EQ(printed(seed), first) << seed;
  }
}

TEST(Schedules, SeedsChangeTheOutcomeOfRaces) {
  std::set<std::string> outputs{printed("--threads 1")}, winning_blocks, winning_warps;
  for (int seed = 1; seed <= 8; ++seed) {
    const std::string output = printed("--schedule " + std::to_string(seed));
    outputs.insert(output);
    std::istringstream numbers(output);
    std::string block, warp;
    numbers >> block >> warp;
    winning_blocks.insert(block);
    winning_warps.insert(warp);
  }
  EXPECT_GE(outputs.size(), 8u);
  EXPECT_GE(winning_blocks.size(), 3u);
  EXPECT_GE(winning_warps.size(), 3u);
}

TEST(Schedules, RacesAreFoundInEverySchedule) {
  for (const char* seed : {"", "--schedule 1", "--schedule 2", "--schedule 3", "--schedule 4"}) {
    const Outcome checked = rafter(here / "schedules", std::string("check --json order.cu ") + seed);
    EXPECT_EQ(checked.code, 1) << seed << checked.all();
    std::set<std::string> kernels;
    const json report = checked.report();
    for (const json& finding : report["findings"]) {
      EXPECT_EQ(finding["kind"], "race");
      kernels.insert(finding["kernel"].get<std::string>());
    }
    EXPECT_EQ(kernels, (std::set<std::string>{"last_block_wins", "last_warp_wins"})) << seed;
  }
}

TEST(Schedules, RepeatedCheckPrintsTheSame) {
  for (const char* seed : {"", "--schedule 5"}) {
    const std::string words = std::string("check order.cu ") + seed;
    const Outcome first = rafter(here / "schedules", words);
    EXPECT_EQ(rafter(here / "schedules", words).out, first.out) << seed;
  }
}

TEST(Schedules, RejectsInvalidSeed) {
  const Outcome refused = rafter(here / "schedules", "exec order.cu --schedule random");
  EXPECT_EQ(refused.code, 2);
  EXPECT_TRUE(has(refused.err, "--schedule expects a whole number, got 'random'")) << refused.err;
}

}  // namespace
}  // namespace rafter::simt::test
