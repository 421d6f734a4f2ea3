// Kernels with known accesses: the counters must count exactly their bytes, and the checkers must report exactly the
// planted hazard, at its line.
#include <map>

#include "../tool.hpp"
#include "access_kernels.hpp"
#include "generated.hpp"

namespace rafter::simt::test {
namespace {

std::string described(const AccessKernel& kernel) {
  constexpr std::array<std::string_view, 4> plans{"clean", "past the end", "one element", "unwritten"};
  return kernel.name + ": " + std::string(kernel.form.name) + " " + std::string(kernel.type.name) + ", " +
         std::string(kernel.where) + ", " + std::string(plans[static_cast<std::size_t>(kernel.plan)]) + ", line " +
         std::to_string(kernel.line);
}

/// Bytes of loads or stores, by line.
std::map<int, std::int64_t> bytes_by_line(const json& counts, const AccessKernel& kernel, std::string_view kind) {
  std::map<int, std::int64_t> bytes;
  for (const json& place : counts.at(kernel.name).at("places")) {
    if (place["space"] == kernel.space && place["kind"] == kind)
      bytes[place["place"]["line"].get<int>()] += place["bytes"].get<std::int64_t>();
  }
  return bytes;
}

void compare_counts(const AccessKernel& kernel, const json& counts) {
  if (kernel.where == "local") return;  // not counted
  const bool loads = !kernel.form.writes || kernel.form.reads_too, stores = kernel.form.writes;
  const int bytes = 32 * kernel.bytes(), atomics = kernel.form.is_atomic ? bytes : 0;
  EXPECT_EQ(bytes_by_line(counts, kernel, "load")[kernel.line], loads ? bytes : 0);
  EXPECT_EQ(bytes_by_line(counts, kernel, "store")[kernel.line], stores ? bytes - atomics : 0);
  EXPECT_EQ(bytes_by_line(counts, kernel, "atomic")[kernel.line], atomics);
}

void compare_findings(const AccessKernel& kernel, const json& findings) {
  bool is_found = false;
  for (const json& finding : findings) {
    if (finding["kernel"] != kernel.name) continue;
    const std::string kind = finding["kind"], space = finding["space"];
    // __ldg of an element that the kernel has written; the kernels initialise what they read.
    if (kind == "stale_read_only" && kernel.form.name == "cached_load") continue;
    const bool fits = kind == kernel.hazard() && space == kernel.space &&
                      finding["sides"][0]["place"].value("line", 0) == kernel.line;
    EXPECT_TRUE(fits) << "false positive: " << finding.dump(2);
    is_found = is_found || fits;
  }
  EXPECT_EQ(is_found, !kernel.hazard().empty()) << "not found: " << kernel.hazard();
}

TEST(GeneratedKernels, CountsAndChecksEveryAccess) {
  for_programs([](int n, std::uint64_t seed) {
    const AccessProgram program(n, seed);
    const lab::TemporaryFolder folder;
    write(folder.path() / "generated.cu", program.text());
    const Outcome checked = rafter(folder.path(), "check --json generated.cu");
    const Outcome counted = rafter(folder.path(), "profile --json generated.cu");
    const json report = checked.report(), counts = counted.report();
    ASSERT_TRUE(report.is_object() && counts.is_object()) << checked.err << counted.err << program.text();
    for (const AccessKernel& kernel : program.kernels()) {
      SCOPED_TRACE(described(kernel) + "\nRAFTER_SEED=" + std::to_string(seed));
      if (kernel.plan != Plan::past_end) compare_counts(kernel, counts["counts"]);
      compare_findings(kernel, report["findings"]);
    }
    if (testing::Test::HasFailure()) GTEST_FAIL() << program.text();
  });
}

}  // namespace
}  // namespace rafter::simt::test
