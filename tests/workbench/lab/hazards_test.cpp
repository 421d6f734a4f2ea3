// Verdicts on rungs with right answers in which the checker found something.
#include "workbench/lab/measure/hazards.hpp"

#include <gtest/gtest.h>

namespace rafter::lab {
namespace {

constexpr const char* same_value =
    "race between writes of the same value in global memory, kernel flag<int> [same_value_race], 15 times\n"
    "    a.cu:3: thread (0,0,0) of block (1,0,0) writes 4 bytes\n"
    "          3 | out[i] = in[race];\n";
constexpr const char* race = "race in shared memory, kernel sum [race], 3 times\n    a.cu:7: thread (1,0,0) reads\n";
constexpr const char* outside = "access out of bounds in global memory, kernel sum [out_of_bounds]\n";

TEST(Hazards, AreKindsInTitlesNotInSources) {
  EXPECT_EQ(finding_kinds(std::string(same_value) + race), (std::vector<std::string>{"same_value_race", "race"}));
  EXPECT_TRUE(finding_kinds("    in[race], kernel x [race]\n\nnote: a call failed, kernel x [lockstep]\n").empty());
}

TEST(Hazards, AreNeitherRightNorWrong) {
  const RungStatus found = judge_findings(same_value, {}, "10 correct");
  EXPECT_EQ(found.status, Status::hazard);
  EXPECT_EQ(found.reason.find("right values, hazard found; '--allow same_value_race'"), 0u) << found.reason;
  EXPECT_NE(found.reason.find("a.cu:3"), std::string::npos);
  EXPECT_NE(judge_findings(race, {}, "").reason.find("'--allow race'"), std::string::npos);
  EXPECT_EQ(status_called(name(Status::hazard)), Status::hazard);
}

TEST(Hazards, ThatAreAllowedAreRecorded) {
  const RungStatus found = judge_findings(same_value, {"same_value_race"}, "10 correct");
  EXPECT_EQ(found.status, Status::verified);
  EXPECT_EQ(found.reason.find("10 correct; allowed: race between writes of the same value"), 0u) << found.reason;
  EXPECT_EQ(judge_findings(race, {"same_value_race"}, "").status, Status::hazard) << "values may differ";
  EXPECT_EQ(judge_findings(std::string(same_value) + race, {"race", "same_value_race"}, "").status, Status::verified);
}

TEST(Hazards, DoNotExcuseOtherFindings) {
  EXPECT_EQ(judge_findings(std::string(race) + outside, {"race"}, "").status, Status::wrong);
  EXPECT_EQ(judge_findings("something unknown", {"race"}, "").status, Status::wrong);
  EXPECT_EQ(judge_findings(std::string(race) + "something unknown\n", {"race"}, "").status, Status::wrong);
  EXPECT_EQ(judge_findings("", {}, "").status, Status::wrong);
}

}  // namespace
}  // namespace rafter::lab
