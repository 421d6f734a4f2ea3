// Kernels with known barriers: every byte that threads race for must be reported with a pair of racing lines, and no
// other pair of lines.
#include "../tool.hpp"
#include "generated.hpp"
#include "sync_kernels.hpp"

namespace rafter::simt::test {
namespace {

/// Returns the pairs of lines that the report names for a kernel. Different values may have equal last bytes, or an
/// atomic may have come between.
std::set<LinePair> said(const json& findings, const SyncKernel& kernel) {
  std::set<LinePair> pairs;
  for (const json& finding : findings) {
    if (finding["kernel"] != kernel.name) continue;
    const std::string kind = finding["kind"];
    const bool may_be_same = kernel.bytes == 1 || kernel.type == "int";
    EXPECT_TRUE(kind == "race" || (kind == "same_value_race" && may_be_same)) << finding.dump(2);
    EXPECT_EQ(finding["space"], kernel.is_shared() ? "shared" : "global");
    std::vector<int> lines;
    for (const json& side : finding["sides"]) lines.push_back(side["place"].value("line", 0));
    if (lines.size() == 2) pairs.insert(std::minmax({lines[0], lines[1]}));
  }
  return pairs;
}

void compare(const SyncKernel& kernel, const std::set<LinePair>& reported) {
  const SyncKernel::Races races = kernel.races();
  for (const LinePair& pair : reported) EXPECT_TRUE(races.pairs.count(pair)) << "false positive:" << listed({pair});
  for (const std::set<LinePair>& pairs : races.elements) {
    const bool is_found = std::any_of(pairs.begin(), pairs.end(), [&](const LinePair& p) { return reported.count(p); });
    EXPECT_TRUE(is_found) << "not found, any of:" << listed(pairs) << "\nreported:" << listed(reported);
  }
}

TEST(GeneratedKernels, ChecksOrdersByBarriers) {
  for_programs([](int n, std::uint64_t seed) {
    const SyncProgram program(n, seed);
    const lab::TemporaryFolder folder;
    write(folder.path() / "generated.cu", program.text());
    const Outcome checked = rafter(folder.path(), "check --json generated.cu");
    const json report = checked.report();
    ASSERT_TRUE(report.is_object()) << checked.err << program.text();
    for (const SyncKernel& kernel : program.kernels()) {
      SCOPED_TRACE(kernel.name + "\nRAFTER_SEED=" + std::to_string(seed));
      compare(kernel, said(report["findings"], kernel));
    }
    if (testing::Test::HasFailure()) GTEST_FAIL() << program.text();
  });
}

}  // namespace
}  // namespace rafter::simt::test
