// Stage profiles and their tables.
#include "workbench/lab/measure/stage_profile.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "base/pattern.hpp"
#include "doubling.hpp"
#include "stage_names.hpp"
#include "workbench/lab/measure/measure.hpp"
#include "workbench/lab/report/stage_table.hpp"

namespace rafter::lab {
namespace {

CaseReport profiled(const Workload& workload, const MeasureOptions& options) {
  RunRoofs roofs(boundless_roofs);
  MeasureOptions quick = options;
  quick.rounds.cap_s = 0.05;
  quick.rounds.settle_s = 0;
  return measure_case(workload, {}, Stream::cpu(), roofs, quick, [](const std::string&, double) {});
}

const Run in_two_stages = [](Doubling& work, int set) {
  work.stages.begin("solve");
  work.solve(set);
  work.stages.begin("rest");
};

TEST(StageProfile, IsMadeOnRequest) {
  const Workload workload = doubling_workload({rung_of("staged", in_two_stages), right_rung});
  EXPECT_FALSE(profiled(workload, {}).rungs[0].stages);
  const CaseReport report = profiled(workload, {.stages = true});
  ASSERT_TRUE(report.rungs[0].stages);
  EXPECT_EQ(stage_names(report.rungs[0].stages->stages), (StageNames{"solve", "rest"}));
  EXPECT_GT(report.rungs[0].stages->stages[0].ns, 0);
  ASSERT_TRUE(report.rungs[1].stages);
  EXPECT_TRUE(report.rungs[1].stages->stages.empty());
}

TEST(StageProfile, TimedCallsHaveNoClock) {
  bool timing = false;
  const Rung watches = rung_of("watches", [&](Doubling& work, int set) {
    work.solve(set);
    if (timing) {
      EXPECT_EQ(work.stages.begin_fused({"a"}), nullptr);
    }
  });
  const Workload workload = doubling_workload({watches});
  RunRoofs roofs(boundless_roofs);
  MeasureOptions options{.stages = true};
  options.rounds.cap_s = 0.05;
  measure_case(workload, {}, Stream::cpu(), roofs, options,
               [&](const std::string& what, double share) { timing = what.ends_with(": timing") && share < 1; });
}

TEST(StageProfile, RungThatIsWrongWithStageTimingIsCaught) {
  const Workload workload = doubling_workload({rung_of("shy", [](Doubling& work, int set) {
    if (work.stages.begin_fused({"a", "b"}) == nullptr) work.solve(set);
  })});
  const CaseReport report = profiled(workload, {.stages = true});
  EXPECT_EQ(report.rungs[0].status, Status::wrong);
  EXPECT_NE(report.rungs[0].reason.find("correct before its stages were timed, but not with stage timing"),
            std::string::npos);
  EXPECT_FALSE(report.rungs[0].stages);
}

TEST(StageProfile, AmdahlsBound) {
  const StageProfile profile{{{"a", 75}, {"b", 25}}};
  EXPECT_DOUBLE_EQ(profile.total_ns(), 100);
  EXPECT_DOUBLE_EQ(profile.share(profile.stages[0]), 0.75);
  EXPECT_DOUBLE_EQ(profile.speedup_without(profile.stages[0]), 4);
  EXPECT_DOUBLE_EQ(profile.speedup_without(profile.stages[1]), 4. / 3);
}

// ---- tables ----

/// Three rungs: with several stages, with one, and with none.
struct StagesExample {
  Workload workload = doubling_workload({rung_of("per_op", right), rung_of("fused", right), rung_of("plain", right)});
  CaseReport report{.workload = &workload, .params = {{"batch", std::int64_t{32}}}};

  StagesExample() {
    for (const Rung& rung : workload.rungs)
      report.rungs.push_back({.rung = &rung, .summary = {.n = 9, .median = 100e3}, .stages = StageProfile{}});
    report.rungs[0].stages->stages = {{"radial", 3e3}, {"message backward", 90e3}, {"update", 9e3}};
    report.rungs[1].stages->stages = {{"all of it", 50e3}};
  }
  std::string table(const Parameter* swept = nullptr, base::Style style = base::Style::plain) const {
    return stage_tables(report, swept, style);
  }
};

TEST(StageTable, ShowsTimesSharesAndBounds) {
  EXPECT_EQ(StagesExample().table(), R"(  stages of per_op: 102 us with stage timing, 100 us without
    stage                         time   share    if free
    radial                     3.00 us    2.9%      1.03x
    message backward           90.0 us   88.2%      8.50x
    update                     9.00 us    8.8%      1.10x
    speedup at most 8.50x without message backward (largest), 1.03x without radial (smallest)
  stages of fused: 50.0 us with stage timing, 100 us without
    stage                         time   share    if free
    all of it                  50.0 us  100.0%          -
  without stages: plain
)");
}

TEST(StageTable, NamesTheCaseOfASweep) {
  const Parameter batch{"batch", "windows", std::int64_t{1}, true};
  const std::string table = StagesExample().table(&batch);
  EXPECT_NE(table.find("stages of per_op at batch = 32: 102 us"), std::string::npos) << table;
  EXPECT_NE(table.find("without stages at batch = 32: plain"), std::string::npos) << table;
}

TEST(StageTable, ReportsRungsWithoutStages) {
  StagesExample example;
  for (Measurement& m : example.report.rungs) m.stages = StageProfile{};
  EXPECT_EQ(example.table(), "  doubling has no stages: none of its rungs names stages\n");
  for (Measurement& m : example.report.rungs) m.stages = std::nullopt;  // not requested
  EXPECT_EQ(example.table(), "");
}

TEST(StageTable, ColouredStyleOnlyAddsEscapeCodes) {
  const std::string coloured = StagesExample().table(nullptr, base::Style::coloured);
  EXPECT_NE(coloured.find('\x1b'), std::string::npos);
  EXPECT_EQ(base::Pattern("\x1b\\[[0-9;]*m").replace(coloured, ""), StagesExample().table());
}

TEST(StageTable, FitsAHundredColumns) {
  StagesExample example;
  example.workload.rungs[0].name = "block_per_row_pairs";
  for (StageTime& stage : example.report.rungs[0].stages->stages) stage.name += " of all edges and atoms in the batch";
  std::istringstream lines(example.table());
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100u) << line;
}

}  // namespace
}  // namespace rafter::lab
