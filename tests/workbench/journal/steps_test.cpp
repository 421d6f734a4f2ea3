// The steps of a journal: factors, targets, predictions and the remaining potential.
#include "workbench/journal/steps.hpp"

#include <gtest/gtest.h>

#include "made_journal.hpp"
#include "rafter/error.hpp"

namespace rafter::journal {
namespace {

TEST(Quantity, IsAFactorOrATime) {
  EXPECT_EQ(parse_quantity("--target", "5x").value, 5);
  EXPECT_TRUE(parse_quantity("--target", "1.3x").is_factor());
  EXPECT_EQ(parse_quantity("--target", "36ms").value, 36e6);
  EXPECT_EQ(parse_quantity("--target", "36 ms").text(), "36.0 ms");
  EXPECT_EQ(parse_quantity("--target", "2s").value, 2e9);
  for (const char* bad : {"", "5", "x", "-1x", "0x", "5y", "ms", "1e999x", "nanx", "5 x x"}) {
    try {
      parse_quantity("--target", bad);
      ADD_FAILURE() << bad;
    } catch (const Error& error) {
      EXPECT_TRUE(std::string(error.what()).starts_with("--target takes a factor such as 5x or a time"))
          << error.what();
    }
  }
}

TEST(Steps, AreComparedWithTheLastTheBestAndTheFirst) {
  MadeJournal made("5x");
  for (const double ns : {1000., 500., 625., 400.}) made.journal.add(step("", {result("mine", ns)}));
  const Steps steps = steps_of(made.journal);
  ASSERT_EQ(steps.all.size(), 4u);
  EXPECT_FALSE(steps.all[0].over_last.has_value());
  EXPECT_DOUBLE_EQ(*steps.all[1].over_last, 2);
  EXPECT_DOUBLE_EQ(*steps.all[2].over_last, 0.8);
  EXPECT_DOUBLE_EQ(*steps.all[2].over_best, 0.8);
  EXPECT_DOUBLE_EQ(*steps.all[3].over_last, 625. / 400);
  EXPECT_DOUBLE_EQ(*steps.all[3].over_best, 1.25);
  EXPECT_DOUBLE_EQ(*steps.all[3].over_first, 2.5);
  EXPECT_DOUBLE_EQ(steps.target_ns(), 200);
  EXPECT_EQ(steps.target_text(), "target 5x: 2.50x so far (step 4, 400 ns), 2.00x to go");
}

TEST(Steps, NameTheStepThatReachedTheTarget) {
  MadeJournal made("450 ns");
  EXPECT_EQ(steps_of(made.journal).target_text(), "target 450 ns: nothing has been timed yet");
  for (const double ns : {1000., 400., 200.}) made.journal.add(step("", {result("mine", ns)}));
  EXPECT_EQ(steps_of(made.journal).target_text(), "target 450 ns: reached with step 2; 5.00x in all (step 3, 200 ns)");
}

TEST(Steps, AreNotComparedAcrossCasesOrMachines) {
  MadeJournal made;
  made.journal.add(step("quick look", {result("mine", 10, 16)}));
  for (int i = 0; i < 2; ++i) made.journal.add(step("", {result("mine", 1000)}));
  made.journal.add(step("elsewhere", {result("mine", 100)}, "NVIDIA H200"));
  made.journal.add(step("", {result("mine", 8, 16), result("mine", 500)}));
  const Steps steps = steps_of(made.journal);
  EXPECT_EQ(steps.case_name, "sum n=2^10 on cpu, cold");
  EXPECT_FALSE(steps.is_on_track(steps.all[0]));
  EXPECT_FALSE(steps.all[3].over_last.has_value());
  EXPECT_DOUBLE_EQ(*steps.all[4].over_last, 2) << "of two cases, the one that most steps have";
  EXPECT_EQ(steps.best()->number, 5);
}

TEST(Steps, UseTheFastestVerifiedRungUnlessOneIsNamed) {
  MadeJournal made;
  const std::vector<nlohmann::json> results{result("naive", 300), result("broken", 0), result("mine", 400),
                                            result("library", 100, 1024, "peer")};
  made.journal.add(step("", results));
  Entry named = step("", results);
  named.rung = "mine";
  made.journal.add(named);
  named.rung = "broken";
  made.journal.add(named);
  const Steps steps = steps_of(made.journal);
  EXPECT_EQ(steps.all[0].rung.name, "naive");
  EXPECT_EQ(steps.all[1].rung.name, "mine");
  EXPECT_FALSE(steps.all[2].is_timed()) << "what is wrong does not get the time of another rung";
}

TEST(Steps, ThatAreWrongHaveNoTimeOfAnotherRung) {
  MadeJournal made("2x");
  made.journal.add(step("", {result("naive", 1000)}));
  Entry wrong = step("dropped the tail", {result("naive", 300), result("mine", 0)});
  wrong.verdict = Verdict::wrong;
  made.journal.add(wrong);
  const Steps steps = steps_of(made.journal);
  EXPECT_FALSE(steps.all[1].is_timed());
  EXPECT_EQ(steps.best()->number, 1);
  EXPECT_EQ(steps.target_text(), "target 2x: 1.00x so far (step 1, 1.00 us), 2.00x to go");
}

TEST(Steps, ShowEstimatesAsEstimates) {
  MadeJournal made("4x");
  for (const double ns : {1000., 500.}) made.journal.add(step("", {estimated("mine", ns)}));
  const Steps steps = steps_of(made.journal);
  EXPECT_DOUBLE_EQ(*steps.all[1].over_last, 2);
  EXPECT_EQ(steps.all[1].rung.time(), "~500 ns");
  EXPECT_EQ(steps.target_text(), "target 4x: 2.00x so far (step 2, ~500 ns), 2.00x to go");
  EXPECT_TRUE(has(steps.estimate_words(), "estimates for an H200") && has(steps.estimate_words(), "no time"));
  made.journal.add(step("", {result("mine", 700)}));
  const Steps timed = steps_of(made.journal);
  EXPECT_EQ(timed.best()->number, 3) << "estimates are not compared with times";
  EXPECT_EQ(timed.estimate_words(), "");
}

TEST(Steps, WithoutTimesAreNotCompared) {
  MadeJournal made;
  made.journal.add(step("", {result("mine", 1000)}));
  Entry wrong = step("dropped the tail", {result("mine", 0)});
  wrong.verdict = Verdict::wrong;
  made.journal.add(wrong);
  made.journal.add(step("", {result("mine", 500)}));
  const Steps steps = steps_of(made.journal);
  EXPECT_FALSE(steps.all[1].is_timed());
  EXPECT_DOUBLE_EQ(*steps.all[2].over_last, 2);
}

TEST(Steps, HavePredictionsAsFactorsAndTimes) {
  MadeJournal made;
  made.journal.add(step("", {result("mine", 1000)}));
  for (const char* prediction : {"4x", "250ns"}) {
    Entry entry = step("", {result("mine", 500)});
    entry.prediction = prediction;
    made.journal.add(entry);
  }
  const Steps steps = steps_of(made.journal);
  EXPECT_DOUBLE_EQ(*steps.all[1].predicted_factor, 4);
  EXPECT_DOUBLE_EQ(*steps.all[2].predicted_factor, 2);
}

TEST(Steps, ReportTheRemainingPotential) {
  MadeJournal made("2x");
  EXPECT_TRUE(remaining_potential(steps_of(made.journal)).empty());
  nlohmann::json op = result("mine", 125);
  op["stages"] = {{{"name", "load"}, {"ns", 25.}, {"share", 0.2}}, {{"name", "sum"}, {"ns", 100.}, {"share", 0.8}}};
  made.journal.add(step("", {op}));
  const auto left = remaining_potential(steps_of(made.journal));
  ASSERT_EQ(left.size(), 3u);
  EXPECT_EQ(left[0], "mine takes 125 ns, 80 % of the floor of 100 ns (memory): at most 1.25x remains.");
  EXPECT_EQ(left[1], "Amdahl's law: removing its largest stage, sum, 80 % of the time, would give 5.00x.");
  EXPECT_EQ(left[2], "Target 2x: 1.00x so far (step 1, 125 ns), 2.00x to go.");
}

TEST(Results, RejectsOtherFiles) {
  for (const auto& bad : {nlohmann::json::array(), nlohmann::json{{"format", 7}, {"results", nlohmann::json::array()}},
                          nlohmann::json{{"results", {{{"rung", "x"}}}}}})
    EXPECT_THROW(kept_results(bad), Error) << bad;
  const nlohmann::json kept = kept_results({{"results", {result("mine", 100)}}});
  EXPECT_FALSE(kept[0].contains("samples_ns"));
  EXPECT_EQ(verdict_of(kept), Verdict::right);
  EXPECT_EQ(verdict_of({result("a", 100), result("b", 0)}), Verdict::wrong);
}

}  // namespace
}  // namespace rafter::journal
