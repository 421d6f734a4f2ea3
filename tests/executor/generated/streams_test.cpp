// Host code with known streams: the first task of a case that races must be reported with one of the tasks it races
// with, and no ordered tasks may be reported. (After a report the two tasks count as ordered, so later races may go
// unreported.)
#include "../tool.hpp"
#include "generated.hpp"
#include "stream_cases.hpp"

namespace rafter::simt::test {
namespace {

/// Returns the pairs of lines that the report names for a case.
std::set<LinePair> said(const json& findings, const StreamCase& one) {
  std::set<LinePair> pairs;
  for (const json& finding : findings) {
    const int a = finding["sides"][0]["place"].value("line", 0), b = finding["sides"][1]["place"].value("line", 0);
    if (one.has(a) || one.has(b)) pairs.insert(std::minmax({a, b}));
  }
  return pairs;
}

void compare(const StreamCase& one, const std::set<LinePair>& reported) {
  for (const LinePair& pair : reported) EXPECT_TRUE(one.races.count(pair)) << "false positive:" << listed({pair});
  const bool is_first_found = std::any_of(one.first_races.begin(), one.first_races.end(),
                                          [&](const LinePair& pair) { return reported.count(pair); });
  EXPECT_TRUE(is_first_found || one.first_races.empty())
      << "not found, any of:" << listed(one.first_races) << "\nreported:" << listed(reported);
}

TEST(GeneratedKernels, ChecksOrdersBetweenStreams) {
  for_programs([](int n, std::uint64_t seed) {
    const StreamProgram program(n, seed);
    const lab::TemporaryFolder folder;
    write(folder.path() / "generated.cu", program.text());
    const Outcome checked = rafter(folder.path(), "check --json generated.cu");
    const json report = checked.report();
    ASSERT_TRUE(report.is_object()) << checked.err << program.text();
    for (const StreamCase& one : program.cases()) {
      SCOPED_TRACE("lines " + std::to_string(one.first_line) + " to " + std::to_string(one.last_line) +
                   "\nRAFTER_SEED=" + std::to_string(seed));
      compare(one, said(report["findings"], one));
    }
    if (testing::Test::HasFailure()) GTEST_FAIL() << program.text();
  });
}

}  // namespace
}  // namespace rafter::simt::test
