#include "workbench/compare/compare.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "../lab/expect_error.hpp"
#include "../lab/temporary_folder.hpp"
#include "base/files.hpp"
#include "made_results.hpp"
#include "workbench/compare/report.hpp"

namespace rafter::compare {
namespace {

using lab::expect_error;
using lab::Verdict;
using nlohmann::json;

Results results(const std::vector<json>& rungs, const char* name = "a.json") {
  return parse_results(document(rungs), name);
}

Verdict verdict(double before_ns, double after_ns, int n = 40) {
  return compare(results({rung("op", times(before_ns, 1, n))}), results({rung("op", times(after_ns, 2, n))}))
      .rungs[0]
      .versus.verdict;
}

TEST(Compare, ReportsTheChangeOfARung) {
  EXPECT_EQ(verdict(1000, 1000, 400), Verdict::same);
  EXPECT_EQ(verdict(1000, 1020, 400), Verdict::slower);
  EXPECT_EQ(verdict(1000, 980, 400), Verdict::faster);
  EXPECT_EQ(verdict(1000, 1010), Verdict::undecided);
  EXPECT_EQ(verdict(1000, 2000, 5), Verdict::undecided) << "too few";
}

TEST(Compare, FindsEqualTimesNeitherSlowerNorFaster) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    const Comparison same =
        compare(results({rung("op", times(1000, 2 * seed))}), results({rung("op", times(1000, 2 * seed + 1))}));
    EXPECT_FALSE(same.any_worse()) << seed;
    EXPECT_NE(same.rungs[0].versus.verdict, Verdict::faster) << seed;
  }
}

TEST(Compare, ReportsCountsWhereNothingWasTimed) {
  const Comparison found =
      compare(results({counted_rung("a", 800, 2000), counted_rung("b", 800, 2000), counted_rung("c", 800, 2000)}),
              results({counted_rung("a", 400, 1000), counted_rung("b", 900, 3000), counted_rung("c", 800, 2000)}));
  const std::string text = table(found, base::Style::plain);
  EXPECT_NE(text.find("estimates for an H200: no time was measured"), std::string::npos) << text;
  for (const char* words : {"FEWER BYTES", "MORE BYTES", "SAME BYTES"}) EXPECT_NE(text.find(words), text.npos) << text;
  EXPECT_EQ(text.find("UNDECIDED"), std::string::npos) << text;
  EXPECT_FALSE(found.any_worse()) << "counts are not times";
  const json first = to_json(found)["rungs"][0];
  EXPECT_EQ(first["before_bytes_moved"], 800);
  EXPECT_EQ(first["after_estimate_ns"], 1000);
  EXPECT_FALSE(first.contains("before_ns"));
}

TEST(Compare, MatchesByCaseAndRung) {
  const Comparison found =
      compare(results({rung("plain", times(9, 1)), rung("op", times(2, 2)), rung("op", times(4, 3), 99)}),
              results({rung("op", times(1, 4)), rung("new", times(1, 5))}));
  ASSERT_EQ(found.rungs.size(), 1u);
  EXPECT_NEAR(found.rungs[0].versus.ratio, 2, 0.1);
  EXPECT_EQ(found.only_before.size(), 2u);
  EXPECT_EQ(found.only_before[1], "sum dtype=float32 n=99 on cpu, cold, op");
  EXPECT_EQ(found.only_after.size(), 1u);
  expect_error(ErrorCode::bad_argument, "no case and rung in common",
               [] { compare(results({rung("a", {1})}), results({rung("b", {1})})); });
}

TEST(Compare, CountsANewlyWrongRungAsWorse) {
  const Results right = results({rung("op", times(1, 1))}), wrong = results({wrong_rung("op")});
  EXPECT_TRUE(compare(right, wrong).any_worse());
  EXPECT_FALSE(compare(wrong, right).any_worse());
  EXPECT_FALSE(compare(wrong, wrong).any_worse());
  const std::string text = table(compare(right, wrong), base::Style::plain);
  EXPECT_NE(text.find("WRONG NOW\n    element 3 is 7, expected 8"), std::string::npos) << text;
}

TEST(Compare, TablesFitHundredColumns) {
  Comparison found = compare(results({rung("a_rung_with_a_long_name", times(123456789, 1))}),
                             results({rung("a_rung_with_a_long_name", times(987654321, 2))}));
  found.only_before = std::vector<std::string>(
      20, "sum dtype=float32 n=99 on cpu, cold, a_rung_with_quite_a_long_name_of_its_own_and_more");
  std::istringstream lines(table(found, base::Style::plain));
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100u) << line;
}

TEST(Compare, WritesTheTableAsJsonAndCsv) {
  const Comparison found = compare(results({rung("op,\"x\"", times(1000, 1)), rung("no", times(1, 1))}),
                                   results({rung("op,\"x\"", times(2000, 2)), wrong_rung("no")}));
  const json as_json = to_json(found);
  EXPECT_EQ(as_json["rungs"][0]["verdict"], "SLOWER");
  EXPECT_NEAR(as_json["rungs"][0]["ratio"], 0.5, 0.02);
  EXPECT_EQ(as_json["rungs"][1]["verdict"], "WRONG NOW");
  EXPECT_TRUE(as_json["worse"]);
  const std::string csv = to_csv(found);
  EXPECT_NE(csv.find("sum,dtype=float32 n=2^10,cpu,cold,\"op,\"\"x\"\"\","), std::string::npos) << csv;
  EXPECT_NE(csv.find(",no,,,,,,WRONG NOW,,,,\n"), std::string::npos) << csv;
}

TEST(Machines, DifferInPropertiesThatAffectTimes) {
  const Results here = results({rung("op", times(1, 1))});
  EXPECT_TRUE(differences(here, here).empty());
  Results other = here;
  other.n_threads = 16;
  other.version = "9.9";
  other.gpu = "a GPU that nothing ran on";
  EXPECT_EQ(differences(here, other), std::vector<std::string>{"threads: 2 and 16"});
}

TEST(ResultsFiles, RejectsOtherFiles) {
  const lab::TemporaryFolder folder;
  const auto path = folder.path() / "r.json";
  expect_error(ErrorCode::io, "cannot read", [&] { read_results(path); });
  const std::string whole = document({rung("op", times(1, 1))}).dump();
  for (const std::string& text : {whole.substr(0, whole.size() / 2), std::string(), std::string("{\"a\": 1")}) {
    base::write_file(path, text);
    expect_error(ErrorCode::bad_argument, "not JSON, or is truncated", [&] { read_results(path); });
  }
  for (const char* text : {"[1, 2]", "{}", "{\"machine\": {}}", "{\"machine\": {}, \"results\": [{\"rung\": 1}]}",
                           "{\"machine\": {}, \"results\": []}", "\"words\""}) {
    base::write_file(path, text);
    expect_error(ErrorCode::bad_argument, "is not a results file of 'rafter run'", [&] { read_results(path); });
  }
  json newer = document({rung("op", times(1, 1))});
  newer["format"] = 2;
  base::write_file(path, newer.dump());
  expect_error(ErrorCode::bad_argument, "of a newer rafter", [&] { read_results(path); });
  base::write_file(path, document({rung("op", {1, 0, -3})}).dump());
  expect_error(ErrorCode::bad_argument, "samples that are not positive", [&] { read_results(path); });
}

}  // namespace
}  // namespace rafter::compare
