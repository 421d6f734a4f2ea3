// rafter compare as a user meets it: two files in, a table and an exit code out.
#include <nlohmann/json.hpp>

#include "../workbench/compare/made_results.hpp"
#include "base/files.hpp"
#include "cli.hpp"

namespace rafter {
namespace {

using cli::Outcome;
using nlohmann::json;

class CompareCli : public cli::Cli {
 protected:
  void SetUp() override {
    cli::Cli::SetUp();
    put("a.json", compare::document({compare::rung("op", compare::times(1000, 1, 400))}));
    put("same.json", compare::document({compare::rung("op", compare::times(1000, 2, 400))}));
    put("slow.json", compare::document({compare::rung("op", compare::times(1100, 3, 400))}));
    put("wrong.json", compare::document({compare::wrong_rung("op")}));
    json other = compare::document({compare::rung("op", compare::times(1000, 4, 400))});
    other["machine"]["cpu"] = "B";
    put("other.json", other);
  }
  void put(const std::string& name, const json& document) const { base::write_file(file(name), document.dump()); }
  Outcome compare(const std::string& before, const std::string& after, const std::string& rest = "") const {
    return rafter("compare " + file(before) + " " + file(after) + " " + rest);
  }
};

TEST_F(CompareCli, ExitsWithOneIfAnythingIsWorse) {
  const Outcome same = compare("a.json", "same.json");
  EXPECT_EQ(same.code, 0) << same.err;
  EXPECT_TRUE(has(same.out, "SAME")) << same.out;
  EXPECT_EQ(compare("slow.json", "a.json").code, 0);
  EXPECT_EQ(compare("a.json", "slow.json").code, 1);
  EXPECT_EQ(compare("a.json", "wrong.json").code, 1);
}

TEST_F(CompareCli, RejectsResultsOfOtherMachines) {
  const Outcome refused = compare("a.json", "other.json");
  EXPECT_EQ(refused.code, 2);
  EXPECT_TRUE(has(refused.err, "different machines; --anyway") && has(refused.err, "cpu: A and B")) << refused.err;
  EXPECT_EQ(compare("a.json", "other.json", "--anyway").code, 0);
}

TEST_F(CompareCli, WritesJsonOrCsv) {
  const Outcome as_json = compare("a.json", "slow.json", "--json -");
  EXPECT_EQ(json::parse(as_json.out)["rungs"][0]["verdict"], "SLOWER");
  EXPECT_TRUE(has(as_json.err, "SLOWER"));
  EXPECT_EQ(compare("a.json", "slow.json", "--csv " + file("c.csv")).code, 1);
  EXPECT_TRUE(base::read_file(file("c.csv")).value().ends_with(",SLOWER,,,,\n"));
}

TEST_F(CompareCli, RejectsBadInput) {
  EXPECT_TRUE(has(rafter("compare " + file("a.json")).err, "two results files are compared"));
  EXPECT_TRUE(has(compare("a.json", "none.json").err, "cannot read"));
  EXPECT_TRUE(
      has(compare("a.json", "same.json", "--csv " + file("a.json")).err, "is an input file and cannot be the output"));
  EXPECT_TRUE(has(rafter("compare --builds " + file("x") + " " + file("y") + " sum").err, "is not a folder"));
  EXPECT_EQ(rafter("compare --builds " + file("x")).code, 2);
}

TEST_F(CompareCli, RunsTwoBuildsAlternately) {
  for (const char* name : {"one", "two"}) {
    base::write_file(file(name) + "/libexec/rafter-run", "");
    base::write_file(file(name) + "/rafter", "#!/bin/bash\ncp " +
                                                 file(name == std::string("one") ? "a.json" : "slow.json") +
                                                 " \"${@: -1}\"\necho \"${@:2:3}\" >>" + file("words") + "\n");
    cli::fs::permissions(file(name) + "/rafter", cli::fs::perms::owner_all);
  }
  const Outcome found = rafter("compare --builds " + file("one") + " " + file("two") + " sum --size 99 --rounds 9");
  EXPECT_EQ(found.code, 1) << found.err;
  EXPECT_TRUE(has(found.out, "8 alternating rounds of") && has(found.out, "SLOWER")) << found.out;
  EXPECT_TRUE(base::read_file(file("words")).value().starts_with("sum --size 99\n"));
}

}  // namespace
}  // namespace rafter
