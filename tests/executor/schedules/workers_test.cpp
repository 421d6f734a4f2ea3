// Checked runs on one worker and on several: identical reports and memory contents.
#include <set>

#include "../tool.hpp"

namespace rafter::simt::test {
namespace {

Outcome checked(const std::string& options, int n_workers) {
  return rafter(here / "schedules", "check --json workers.cu " + options + " --threads " + std::to_string(n_workers));
}

class Workers : public testing::TestWithParam<const char*> {};

TEST_P(Workers, ReportDoesNotDependOnTheirNumber) {
  const Outcome one = checked(GetParam(), 1);
  EXPECT_EQ(one.code, 1) << one.all();
  std::set<std::string> kinds;
  const json report = one.report();
  for (const json& finding : report["findings"]) kinds.insert(finding["kind"].get<std::string>());
  EXPECT_TRUE((std::set<std::string>{"out_of_bounds", "race", "same_value_race", "uninitialised"} == kinds)) << one.out;
  for (const int n_workers : {2, 3, 8}) {
    const Outcome several = checked(GetParam(), n_workers);
    EXPECT_EQ(several.out, one.out) << n_workers << " workers";
    EXPECT_EQ(several.err, one.err) << n_workers << " workers";
  }
}

INSTANTIATE_TEST_SUITE_P(Programs, Workers, testing::Values("", "-DNOTICE"),
                         [](const auto& one) { return one.param[0] ? "that_synchronise" : "plain"; });

}  // namespace
}  // namespace rafter::simt::test
